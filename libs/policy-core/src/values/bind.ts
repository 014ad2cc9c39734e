import { codePoints, isJsonObject } from "@ikg/contracts/values";
import { instantOf } from "../instants/instant.ts";
import { type JsonObject, member } from "../json.ts";
import { patternOf } from "../regex/pattern.ts";
import { orderKey } from "../texts/order.ts";
import { type CallSizes, isWithin, sizesText } from "./call-sizes.ts";
import { rowKeys, valuesName } from "./row-keys.ts";
import {
  type DerivedForm,
  type ParameterCheck,
  type RequiredInputs,
  formKey,
  type Reference,
  referenceKey,
  type RequestName,
} from "./reference.ts";

/** A value in a form; null where it has none. */
const inForm = (value: unknown, form: DerivedForm): unknown => {
  switch (form) {
    case "instant":
      return instantOf(value);
    case "pattern":
      return patternOf(value)?.java ?? null;
    case "order":
      return typeof value === "string" ? orderKey(value) : null;
  }
};

/** What one request brings. Values are data of the caller and reach the database only as parameters. */
export interface Inputs {
  readonly inputParams: JsonObject;
  /** The claims of the introspected bearer token; absent when none was sent. */
  readonly token?: JsonObject | undefined;
  /** The request's own properties and context, readable through `$request`. */
  readonly request?: JsonObject | undefined;
  /** External id of the calling Application, for CIQ. */
  readonly applicationId?: string | undefined;
  readonly platform?: Readonly<Partial<Record<RequestName, string>>> | undefined;
}

/** Values of the references of a policy or query for one request: a flat map of each kind, keyed by `referenceKey`. */
export interface BoundValues {
  /** `$name` and its members. */
  readonly parameters: JsonObject;
  /** `$token.…`. */
  readonly token: JsonObject;
  /** Whether a token was sent: filter leaves that read one fail closed without. */
  readonly hasToken: boolean;
  /** `$request.…`. */
  readonly request: JsonObject;
  /** `$_appId`. */
  readonly application: string | null;
  /** The four platform-bound names of KBAC. */
  readonly platform: JsonObject;
}

/** Bound values under the short keys by which statements read them: a row of each request is packed and sent. */
export type RowValues = { readonly [Name in keyof BoundValues as (typeof rowKeys)[Name]]: BoundValues[Name] };

/** All bound values as a statement takes them. */
export const rowValues = (values: BoundValues): RowValues => ({
  [rowKeys.parameters]: values.parameters,
  [rowKeys.token]: values.token,
  [rowKeys.hasToken]: values.hasToken,
  [rowKeys.request]: values.request,
  [rowKeys.application]: values.application,
  [rowKeys.platform]: values.platform,
});

/** The member at a path; null where a step is missing or leads into something that is no object. */
const memberAt = (value: unknown, path: readonly string[]): unknown => {
  let at: unknown = value;
  for (const step of path) {
    if (!isJsonObject(at)) return null;
    at = member(at, step);
  }
  return at ?? null;
};

const isList = (value: unknown): boolean => Array.isArray(value);

/** Limit of an external id, in code points. */
export const maxExternalId = 256;

const fits = (value: unknown, check: ParameterCheck): boolean => {
  switch (check) {
    case "any":
      return true;
    case "array":
      return isList(value);
    case "count":
      return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
    case "external_id":
      return (
        typeof value === "string" &&
        value !== "" &&
        value.length <= 2 * maxExternalId &&
        codePoints(value) <= maxExternalId
      );
    case "pattern":
      return patternOf(value) !== null;
  }
};

/** Parameters of which a value that is read is larger than the text allows. */
const tooLarge = (needs: RequiredInputs, inputParams: JsonObject): ReadonlySet<string> => {
  const { sizes } = needs;
  const names = new Set<string>();
  if (sizes === undefined) return names;
  for (const reference of needs.references.values()) {
    if (reference.kind !== "parameter") continue;
    if (!isWithin(memberAt(inputParams, [reference.name, ...reference.path]), sizes))
      names.add(reference.name);
  }
  return names;
};

/**
 * Names of parameters that are absent (null counts as absent), of the wrong kind or too large, in order of first use. A
 * name of one that is too large is followed by what is allowed.
 */
export const missingParameters = (needs: RequiredInputs, inputParams: JsonObject): readonly string[] => {
  const large = tooLarge(needs, inputParams);
  return [...needs.parameterChecks].flatMap(([name, checks]) => {
    const value = member(inputParams, name);
    const good = value !== undefined && value !== null && [...checks].every((check) => fits(value, check));
    if (!good) return [name];
    return large.has(name) && needs.sizes !== undefined ? [`${name} ${sizesText(needs.sizes)}`] : [];
  });
};

/** The text of the 422 for one parameter. @param missing one of `missingParameters` */
export const missingParameterText = (missing: string): string => {
  const end = missing.indexOf(" ");
  return end < 0
    ? `missing or wrong input params, '${missing}'`
    : `missing or wrong input params, '${missing.slice(0, end)}'${missing.slice(end)}`;
};

/** Half of a surrogate pair cannot be sent; the database would read U+FFFD there, and so does everything in memory. */
const wellFormed = (value: unknown): unknown => {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  return Array.isArray(value) ? value.map(wellFormed) : value;
};

/** The value, or null where it is larger than the text allows: like a claim or property that was not sent. */
const within = (value: unknown, sizes: CallSizes | undefined): unknown =>
  sizes === undefined || isWithin(value, sizes) ? value : null;

/** The value that one reference has for a request; null where there is none. */
const valueOf = (reference: Reference, inputs: Inputs, sizes: CallSizes | undefined): unknown => {
  switch (reference.kind) {
    case "parameter":
      return wellFormed(within(memberAt(inputs.inputParams, [reference.name, ...reference.path]), sizes));
    case "token":
      return wellFormed(within(memberAt(inputs.token, reference.path), sizes));
    case "request":
      return wellFormed(within(memberAt(inputs.request, reference.path), sizes));
    case "platform":
      return wellFormed(inputs.platform?.[reference.name] ?? null);
    case "application":
      return inputs.applicationId ?? null;
    case "absent":
      return null;
  }
};

/** The map of a kind to which nothing refers. */
const nothing: JsonObject = Object.freeze(Object.create(null) as JsonObject);
const noValues = { parameters: nothing, token: nothing, request: nothing, platform: nothing };

/**
 * Binds every reference to its value for one request, and to the forms of it that a statement reads.
 * The maps have no prototype, so that no name of a caller's choosing means anything but itself.
 */
export const bindValues = (needs: RequiredInputs, inputs: Inputs): BoundValues => {
  const hasToken = inputs.token !== undefined;
  const application = inputs.applicationId ?? null;
  if (needs.references.size === 0) return { ...noValues, hasToken, application };
  const empty = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;
  const bound = { parameters: empty(), token: empty(), request: empty(), platform: empty() };
  for (const reference of needs.references.values()) {
    if (reference.kind === "application" || reference.kind === "absent") continue;
    bound[valuesName[reference.kind]][referenceKey(reference)] = valueOf(reference, inputs, needs.sizes);
  }
  for (const { reference, form } of needs.forms.values()) {
    bound[valuesName[reference.kind]][formKey(reference, form)] = inForm(
      valueOf(reference, inputs, needs.sizes),
      form,
    );
  }
  return { ...bound, hasToken, application };
};

const hasAny = (values: JsonObject): boolean => {
  for (const _ in values) return true;
  return false;
};

/**
 * The bound values as a statement takes them, without what it does not read: it would be packed, sent and unpacked with
 * every row. What a row does not have is null to the statement, like a value that was not sent.
 */
export const bindRow = (needs: RequiredInputs, inputs: Inputs): Partial<RowValues> => {
  const { p, t, q, f, ts, a } = rowValues(bindValues(needs, inputs));
  return {
    ...(hasAny(p) ? { p } : {}),
    ...(hasAny(t) ? { t } : {}),
    ...(hasAny(q) ? { q } : {}),
    ...(hasAny(f) ? { f } : {}),
    ...(needs.readsToken ? { ts } : {}),
    ...(a === null ? {} : { a }),
  };
};
