import type { OnBehalfOf } from "@ikg/audit";
import type { Token } from "@ikg/auth";
import { omitUndefined, stringOrUndefined } from "@ikg/contracts";

/** More actors than this behind one another are no delegation that was meant. */
const mostActors = 16;

/** Subjects of the claim `act`, the one who acts now first (RFC 8693, section 4.1). */
const actorsOf = (claim: unknown): string[] | undefined => {
  const actors: string[] = [];
  for (
    let actor = claim;
    typeof actor === "object" && actor !== null && actors.length < mostActors;
    actor = Reflect.get(actor, "act")
  ) {
    const sub = stringOrUndefined(Reflect.get(actor, "sub"));
    if (sub === undefined) break;
    actors.push(sub);
  }
  return actors.length === 0 ? undefined : actors;
};

/** The end user of a request as its records name them; undefined when no token was used. */
export const onBehalfOf = (token: Token | undefined): OnBehalfOf | undefined =>
  token === undefined
    ? undefined
    : omitUndefined({
        sub: token.subject,
        iss: stringOrUndefined(token.claims["iss"]),
        original_sub: stringOrUndefined(token.claims["original_sub"]),
        act: actorsOf(token.claims["act"]),
      });
