import { bearerChallenge } from "@ikg/auth";
import { Problem } from "@ikg/contracts";
import type { Advice, FailingLeaf, FilterOutcome, Leaf } from "@ikg/policy-core";

const defaultError = "insufficient_user_authentication";
const defaultDescription = "the token does not satisfy the policy";

const claimOf = ({ attribute }: Leaf): string | undefined =>
  attribute.kind === "reference" && attribute.reference.kind === "token"
    ? attribute.reference.path.join(".")
    : undefined;

const literalOf = ({ value }: Leaf): unknown => (value?.kind === "literal" ? value.value : undefined);

const maxAge = (failing: readonly FailingLeaf[]): string | undefined => {
  const ages = failing.flatMap(({ leaf }) => {
    const age = literalOf(leaf);
    if (claimOf(leaf) !== "auth_age" || typeof age !== "number") return [];
    return leaf.operator === "<=" ? [age] : leaf.operator === "<" ? [age - 1] : [];
  });
  return ages.length === 0 ? undefined : String(Math.max(0, Math.min(...ages)));
};

/** Values that failing leaves want of a claim, in order, each once. */
const wanted = (
  failing: readonly FailingLeaf[],
  claim: string,
  operators: readonly string[],
): string | undefined => {
  const values = failing.flatMap(({ leaf }) =>
    claimOf(leaf) === claim && operators.includes(leaf.operator) ? [literalOf(leaf)].flat() : [],
  );
  const texts = [...new Set(values.filter((value) => typeof value === "string"))];
  return texts.length === 0 ? undefined : texts.join(" ");
};

const parameterName = /^[a-z][a-z0-9_]*$/;

/**
 * The refusal of a token that a policy's `token_filter` does not accept (runtime specification 2.10, RFC 9470):
 * 401, details in `WWW-Authenticate`.
 */
export const stepUp = ({ failing }: FilterOutcome): Problem => {
  const [first] = failing;
  const own = first?.advice;
  const text = (key: string): string | undefined => own?.[key] ?? first?.inherited?.[key];
  const description = text("error_description");
  const parameters = new Map<string, string>([
    ["error", text("error") ?? defaultError],
    ["error_description", description ?? defaultDescription],
  ]);
  const derived: Readonly<Record<string, string | undefined>> = {
    max_age: maxAge(failing),
    acr_values: wanted(failing, "acr", ["=", "IN"]),
    scope: wanted(failing, "scope", ["=", "CONTAINS", "IN"]),
  };
  for (const [name, value] of Object.entries(derived)) if (value !== undefined) parameters.set(name, value);
  const advice: Advice = { ...first?.inherited, ...own };
  const further = Object.entries(advice).filter(
    ([name]) => parameterName.test(name) && name !== "error" && name !== "error_description",
  );
  for (const [name, value] of further.slice(0, 10)) parameters.set(name, value);
  return new Problem("token_filter_failed", {
    ...(description === undefined ? {} : { message: description }),
    headers: { "WWW-Authenticate": bearerChallenge(Object.fromEntries(parameters)) },
  });
};
