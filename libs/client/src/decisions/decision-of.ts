import { problems } from "../contract/problems.ts";
import type { Decision } from "../contract/wire.ts";
import { codeOf } from "../errors/code-of.ts";
import { IkgError } from "../errors/ikg-error.ts";
import { IkgUnreachable } from "../errors/ikg-unreachable.ts";

const isObjectOrArray = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const isDecision = (value: unknown): value is Decision =>
  isObjectOrArray(value) && typeof value["decision"] === "boolean";

const invalid = (): IkgUnreachable =>
  new IkgUnreachable("invalid_response", "the response is not a decision; check baseUrl");

/** @throws IkgUnreachable for anything that is not a decision, so that it is never taken for a grant. */
export const decisionOf = (body: unknown): Decision => {
  if (isDecision(body)) return body;
  throw invalid();
};

/** The entries of a batch: one for each question. */
export const entriesOf = (body: unknown, count: number): readonly Decision[] => {
  const entries = isObjectOrArray(body) ? body["evaluations"] : undefined;
  if (Array.isArray(entries) && entries.length === count && entries.every(isDecision)) return entries;
  throw invalid();
};

/**
 * The error of an entry that could not be evaluated.
 *
 * @returns the error of the question; "again" when it was not evaluated for a passing reason; undefined for a decision.
 */
export const entryError = (
  { context }: Decision,
  requestId: string | undefined,
): IkgError | "again" | undefined => {
  const error: unknown = context !== undefined && "error" in context ? context.error : undefined;
  if (!isObjectOrArray(error)) return undefined;
  const { status, message } = error;
  if (typeof status !== "number" || typeof message !== "string" || status >= 500 || status === 429)
    return "again";
  const messages = (problems[status] ?? []).map(([, text]) => text);
  // An entry has the details of an error response as one text, or its message where there are none.
  const hasDetails = !messages.some((text) => message.startsWith(text));
  const errors = hasDetails ? message.split("; ") : [];
  const code = codeOf(status, null, message, errors);
  return new IkgError({
    code,
    status,
    message: hasDetails ? (messages[0] ?? message) : message,
    errors,
    requestId,
  });
};
