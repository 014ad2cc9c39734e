import { Problem } from "@ikg/contracts";
import { bearerChallenge, challengeText } from "./challenge.ts";

type Advice = Readonly<Record<string, string>>;

/** A condition of a policy that the token does not meet, as far as a challenge can state it. */
export interface UnmetDemand {
  /** The claim that it reads, `realm.role` for a nested one; undefined when it reads something else. */
  readonly claim: string | undefined;
  readonly operator: string;
  /** What the claim is compared with; undefined when that comes with the request. */
  readonly value: unknown;
  /** The comparison would have to be false, so that no value can be asked for. */
  readonly isNegated: boolean;
  /** The leaf's own advice. */
  readonly advice: Advice | undefined;
  /** Advice of the nearest branch around it that has some. */
  readonly inherited: Advice | undefined;
}

/** The challenge by which a client obtains a stronger token (RFC 9470). */
export interface StepUp {
  readonly message: string;
  /** Of the challenge, in order: `error`, `error_description`, then those that follow from policy and advice. */
  readonly parameters: ReadonlyMap<string, string>;
}

const defaultError = "insufficient_user_authentication";
const defaultDescription = "the token does not satisfy the policy";
const maxFurther = 10;
const parameterName = /^[a-z][a-z0-9_]*$/;

/** The largest whole age that meets every demand on it. */
const maxAge = (unmet: readonly UnmetDemand[]): string | undefined => {
  const ages = unmet.flatMap(({ claim, operator, value }) => {
    if (claim !== "auth_age" || typeof value !== "number") return [];
    return operator === "<=" ? [Math.floor(value)] : operator === "<" ? [Math.ceil(value) - 1] : [];
  });
  return ages.length === 0 ? undefined : String(Math.max(0, Math.min(...ages)));
};

/** Values that are demanded of a claim, in order, each once. */
const demandedValues = (
  unmet: readonly UnmetDemand[],
  claim: string,
  operators: readonly string[],
): string | undefined => {
  const values = unmet.flatMap((each) =>
    each.claim === claim && operators.includes(each.operator) ? [each.value].flat() : [],
  );
  const texts = [...new Set(values.filter((value) => typeof value === "string"))];
  return texts.length === 0 ? undefined : texts.join(" ");
};

/**
 * The challenge for a token that does not meet a policy's conditions.
 *
 * @param unmet in the order of the policy.
 */
export const stepUpOf = (unmet: readonly UnmetDemand[]): StepUp => {
  const [first] = unmet;
  const demanded = unmet.filter(({ isNegated }) => !isNegated);
  const text = (key: string): string | undefined => first?.advice?.[key] ?? first?.inherited?.[key];
  const description = text("error_description");
  const parameters = new Map<string, string>([
    ["error", text("error") ?? defaultError],
    ["error_description", description ?? defaultDescription],
  ]);
  const derived: Readonly<Record<string, string | undefined>> = {
    max_age: maxAge(demanded),
    acr_values: demandedValues(demanded, "acr", ["=", "IN"]),
    scope: demandedValues(demanded, "scope", ["=", "CONTAINS", "IN"]),
  };
  for (const [name, value] of Object.entries(derived)) if (value !== undefined) parameters.set(name, value);
  const further = Object.entries({ ...first?.inherited, ...first?.advice }).filter(
    ([name]) => parameterName.test(name) && name !== "error" && name !== "error_description",
  );
  for (const [name, value] of further.slice(0, maxFurther)) parameters.set(name, value);
  for (const [name, value] of parameters) parameters.set(name, challengeText(value));
  return { message: description ?? defaultDescription, parameters };
};

/** 401 for a token that a policy does not accept as it is; details in `WWW-Authenticate`. */
export const stepUpRequired = (unmet: readonly UnmetDemand[], cause?: unknown): Problem => {
  const { message, parameters } = stepUpOf(unmet);
  return new Problem("token_filter_failed", {
    message,
    headers: { "WWW-Authenticate": bearerChallenge(Object.fromEntries(parameters)) },
    cause,
  });
};
