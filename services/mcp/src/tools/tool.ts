import type { CallToolResult, Tool as Description } from "@modelcontextprotocol/server";
import { Problem } from "@ikg/contracts";
import type { z } from "zod";
import type { McpRequest } from "../mcp-request.ts";
import { UpstreamUnavailable } from "./downstream.ts";
import { errorResult, unavailableResult } from "./result.ts";

export interface Tool {
  readonly name: string;
  /** @param explain whether the agent may ask why. */
  describe(explain: boolean): Description;
  call(mcpRequest: McpRequest, args: unknown, signal: AbortSignal): Promise<CallToolResult>;
}

/** Additional members of a tool that can explain. */
export const explainProperty = {
  explain: {
    type: "boolean",
    description:
      "true: the answer also says which policies and conditions led to it, under `context.explanation` or `explanation`.",
  },
} as const;

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join(".");

/** Models write null for what they leave out. */
const withoutNulls = (args: unknown): object =>
  Object.fromEntries(Object.entries(Object(args ?? {})).filter(([, value]) => value !== null));

/** Arguments as the schema wants them; otherwise what to correct, for the model. */
export const withArguments = async <S extends z.ZodType>(
  schema: S,
  args: unknown,
  run: (args: z.output<S>) => Promise<CallToolResult>,
): Promise<CallToolResult> => {
  const parsed = schema.safeParse(withoutNulls(args));
  if (!parsed.success)
    return errorResult({
      status: 400,
      message: "arguments not valid",
      errors: parsed.error.issues.map(({ path, message }) => `${pathOf(path)}: ${message}`),
    });
  try {
    return await run(parsed.data);
  } catch (error) {
    if (error instanceof UpstreamUnavailable) return unavailableResult();
    if (error instanceof Problem && error.status === 503) return unavailableResult();
    if (error instanceof Problem && error.status < 500)
      return errorResult({ status: error.status, ...error.envelope() });
    throw error;
  }
};
