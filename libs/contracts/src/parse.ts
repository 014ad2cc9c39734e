import type { z } from "zod";
import { maxErrorDetails, Problem, type ProblemCode } from "./problems.ts";

/** The JSON path of a field as details show it: `nodes[3].external_id`. */
const jsonPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === "number" ? `${text}[${step}]` : text === "" ? String(step) : `${text}.${String(step)}`,
    "",
  );

type Issue = z.core.$ZodIssue;

/** Issues of a union are those of the branch that came nearest. */
const flatten = (issue: Issue, prefix: readonly PropertyKey[]): string[] => {
  const path = [...prefix, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const nearest = issue.errors.reduce((best, each) => (each.length < best.length ? each : best));
    if (nearest.length > 0) return nearest.flatMap((inner) => flatten(inner, path));
  }
  return [`${jsonPath(path) || "body"}: ${reason(issue)}`];
};

const article: Record<string, string> = { int: "integer", record: "object", map: "object" };

/** One short reason per kind of issue; schemas override it with a text of their own. */
const reason = (issue: Issue): string => {
  if (issue.code !== "invalid_type") return issue.message;
  const expected = article[issue.expected] ?? issue.expected;
  return issue.input === undefined || issue.message === "required" ? "required" : `${expected} expected`;
};

/** Details of a failed parse, one per fault, each beginning with the JSON path. */
export const faultsOf = (error: z.ZodError): string[] =>
  error.issues.slice(0, maxErrorDetails).flatMap((issue) => flatten(issue, []));

/**
 * Parses a value from outside by its schema.
 *
 * @param code the problem to throw: `invalid_request` (400) on the data plane, `unprocessable` (422) on configs.
 * @throws Problem with one detail per fault.
 */
export const parse = <S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: ProblemCode = "invalid_request",
): z.output<S> => {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new Problem(code, { errors: faultsOf(result.error) });
};
