import type { ErrorEnvelope } from "@ikg/contracts";
import type { Answer } from "../requests/send.ts";

/** What is wrong with a refusal: 429 and 503 have `Retry-After`, and a refusal names its limit. */
const faultOf = ({ status, headers, body }: Answer): string | undefined => {
  if (status < 400) return undefined;
  if ((status === 429 || status === 503) && headers.get("retry-after") === null)
    return `${status} without Retry-After`;
  if (status === 500 || status > 503) return `status ${status}`;
  // The body of every refusal.
  const { errors } = (body ?? {}) as Partial<ErrorEnvelope>;
  return status === 429 && errors === undefined ? "429 does not name the limit" : undefined;
};

/** How the answers to a heavy load are wrong; empty when each is a success or a refusal that a client can act on. */
export const faultyRefusals = (answers: readonly Answer[]): readonly string[] =>
  answers.flatMap((answer) => {
    const fault = faultOf(answer);
    return fault === undefined ? [] : [`${fault}: ${answer.text.slice(0, 200)}`];
  });

/** Statuses and how often each came. */
export const statusesOf = (answers: readonly Pick<Answer, "status">[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
