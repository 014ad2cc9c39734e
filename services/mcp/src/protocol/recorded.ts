import type { Visit, VisitCall } from "../visit.ts";

/** True for the result of a tool that says it failed. */
const isFailure = (result: unknown): boolean =>
  typeof result === "object" && result !== null && Reflect.get(result, "isError") === true;

/** Answers a call once there is a record of it. */
export const recorded = async <T>(
  { record }: Pick<Visit, "record">,
  call: Omit<VisitCall, "outcome">,
  answer: () => T | Promise<T>,
): Promise<T> => {
  let outcome: VisitCall["outcome"] = "failed";
  try {
    const result = await answer();
    if (!isFailure(result)) outcome = "success";
    return result;
  } finally {
    await record({ ...call, outcome });
  }
};
