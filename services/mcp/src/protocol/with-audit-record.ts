import { isJsonObject } from "@ikg/contracts";
import type { McpRequest, RecordedCall } from "../mcp-request.ts";

/** True for the result of a tool that reports a failure. */
const isFailure = (result: unknown): boolean => isJsonObject(result) && result["isError"] === true;

/** Runs a call and returns its result once its audit record is written. */
export const withAuditRecord = async <T>(
  { record }: Pick<McpRequest, "record">,
  call: Omit<RecordedCall, "outcome">,
  answer: () => T | Promise<T>,
): Promise<T> => {
  let outcome: RecordedCall["outcome"] = "failed";
  try {
    const result = await answer();
    if (!isFailure(result)) outcome = "success";
    return result;
  } finally {
    await record({ ...call, outcome });
  }
};
