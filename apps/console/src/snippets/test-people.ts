import type { Members } from "../text/json.ts";

/** What a policy test calls the person whose token was sent. */
export const person = "person";

/**
 * The members of a policy test (docs/policy-tests.md) that stand for a token: its claims, and where it has `auth_time` the moment
 * against which that is measured.
 *
 * @param claims undefined where there is no token, or its claims are not known.
 * @param at milliseconds since 1970.
 */
export const peopleOf = (
  claims: Members | undefined,
  at: number,
): { readonly people?: Readonly<Record<string, Members>>; readonly now?: string } => {
  if (claims === undefined) return {};
  return {
    people: { [person]: claims },
    ...("auth_time" in claims && { now: new Date(at).toISOString() }),
  };
};
