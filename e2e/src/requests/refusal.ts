import type { ErrorEnvelope } from "@ikg/contracts";
import type { Answer } from "./send.ts";

/** What must never leave: words of the database, physical names, traces of the program. */
const inside =
  /neo4j|cypher|\bbolt\b|redis|Neo\.\w+Error|\b_P\b|_Node\b|_key\b|\w__[a-z0-9]{8}\b|ZodError|(Syntax|Type|Range)Error|\.ts:\d|node_modules|\bat [\w.<> ]+ \((?:file:|node:|\/)|\$__/gi;

/** Part of a path in a policy, and of a reason that the API documents. */
const ourCypher = /condition\.cypher|Cypher contains forbidden clauses/g;

/** What is drawn by chance may spell anything. */
const drawn = /gid:[\w-]{27}/g;

/** Words from inside that the caller did not say first. */
const leaks = ({ text, sent }: Answer): readonly string[] =>
  [...text.replace(ourCypher, "").replace(drawn, "").matchAll(inside)]
    .map(([word]) => word)
    .filter((word) => !sent.includes(word));

/** Faults of any answer whatsoever. */
const faultsOfAny = (answer: Answer): string[] => {
  const { status, headers } = answer;
  const faults = leaks(answer).map((word) => `${word} comes from inside`);
  if (status >= 500) faults.push("a 5xx");
  if (!headers.get("content-type")?.startsWith("application/json")) faults.push("no JSON");
  if (headers.get("cache-control") !== "no-store") faults.push("may be stored");
  if (!headers.get("x-request-id")) faults.push("no X-Request-ID");
  return faults;
};

/** Faults of the envelope of an error. */
const faultsOfEnvelope = ({ body }: Answer): string[] => {
  if (typeof body !== "object" || body === null) return ["no envelope"];
  const unknown = Object.keys(body).filter((key) => key !== "message" && key !== "errors");
  const { message, errors } = body as Partial<ErrorEnvelope>;
  const faults = unknown.map((key) => `unknown member ${key}`);
  if (typeof message !== "string" || message === "") faults.push("no message");
  if (errors !== undefined && !(Array.isArray(errors) && errors.length > 0 && errors.length <= 50))
    faults.push("errors: 1-50 entries expected");
  if (errors?.some((error) => typeof error !== "string" || error.length > 1_000))
    faults.push("errors: short texts expected");
  return faults;
};

const messages: Readonly<Record<number, string>> = {
  400: "Bad Request",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  422: "Unprocessable Entity",
};

const fail = (answer: Answer, faults: readonly string[]): void => {
  if (faults.length > 0)
    throw new Error(`${faults.join("; ")}: ${answer.status} ${answer.text.slice(0, 1_000)}`);
};

/**
 * Whatever was asked: no 5xx, nothing from inside, and the envelope when it is a refusal.
 *
 * @throws Error naming every fault
 */
export const requireSound = (answer: Answer): void => {
  fail(answer, [...faultsOfAny(answer), ...(answer.status >= 400 ? faultsOfEnvelope(answer) : [])]);
};

/**
 * A refusal with one of these statuses, in the envelope, and with nothing from inside.
 *
 * @returns its details
 * @throws Error naming every fault
 */
export const requireRefusal = (answer: Answer, ...statuses: readonly number[]): readonly string[] => {
  const { status, body } = answer;
  const faults = [...faultsOfAny(answer), ...faultsOfEnvelope(answer)];
  if (!statuses.includes(status)) faults.push(`status ${statuses.join(" or ")} expected`);
  // The envelope was just looked at.
  const { message, errors = [] } = (body ?? {}) as Partial<ErrorEnvelope>;
  const phrase = messages[status];
  if (phrase !== undefined && message !== phrase) faults.push(`message ${phrase} expected`);
  fail(answer, faults);
  return errors;
};
