import { type ProblemCode, problems } from "../contract/problems.ts";

/** What statuses mean that no message tells apart. */
const general: Readonly<Record<number, ProblemCode>> = { 400: "invalid_request" };

/** How a response says that a parameter is missing, where it has no code: in an entry of a batch. */
const missingParameter = /^missing or wrong input params/;

/**
 * The code of an error response.
 *
 * @param stated `X-Error-Code`, which services send; a proxy in between, or an entry of a batch, has none. Then status and
 *   message tell.
 */
export const codeOf = (
  status: number,
  stated: string | null,
  message: string,
  errors: readonly string[],
): ProblemCode => {
  const ofStatus = problems[status] ?? [];
  const exact = ofStatus.find(([code]) => code === stated);
  if (exact !== undefined) return exact[0];
  if (errors.some((error) => missingParameter.test(error)) && status === 422) return "input_param_missing";
  const named = ofStatus.filter(([, text]) => message.startsWith(text));
  if (named.length === 1 && named[0] !== undefined) return named[0][0];
  return general[status] ?? ofStatus[0]?.[0] ?? (status < 500 ? "invalid_request" : "internal");
};
