import type { JWTPayload } from "jose";
import { codePoints } from "@ikg/contracts";
import { bearerRefused } from "./challenge.ts";
import type { IntrospectionConfig } from "./types.ts";

type JsonType = "string" | "boolean" | "number" | "object";

const ofType = (type: JsonType, names: string): [string, JsonType][] =>
  names.split(" ").map((name) => [name, type]);

/** Types of the standard claims (OpenID Connect Core, 5.1): one of another type is not mapped. */
const standard = new Map([
  ...ofType(
    "string",
    "name given_name family_name middle_name nickname preferred_username profile picture website",
  ),
  ...ofType("string", "email gender birthdate zoneinfo locale phone_number"),
  ...ofType("boolean", "email_verified phone_number_verified"),
  ...ofType("number", "updated_at"),
  ...ofType("object", "address"),
]);

const fits = (claim: string, value: unknown): boolean => {
  const type = standard.get(claim);
  return type === undefined || (typeof value === type && !Array.isArray(value));
};

/** A claim as a number of seconds: a number, or a string of digits. */
const secondsOf = (value: unknown): number | undefined => {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
};

const age = (value: unknown, now: number): number | null => {
  const since = secondsOf(value);
  return since === undefined ? null : Math.max(0, Math.floor(now / 1000 - since));
};

const maxSubject = 256;

/** Valid as a node's `external_id`. A lone surrogate is refused: it would be stored as U+FFFD, the same for two subjects. */
const isExternalId = (text: string): boolean =>
  text.length <= maxSubject * 2 && codePoints(text) <= maxSubject && text.isWellFormed();

/** @throws Problem `bearer_invalid` when the subject claim is not a string of 1-256 characters. */
export const subjectOf = (payload: JWTPayload, config: IntrospectionConfig): string => {
  const subject = Object.hasOwn(payload, config.subClaim) ? payload[config.subClaim] : undefined;
  if (typeof subject !== "string" || subject === "" || !isExternalId(subject))
    throw bearerRefused("subject claim must be a string of 1 to 256 characters");
  return subject;
};

/** Verified claims, mapped to properties by a configuration. */
export interface MappedClaims {
  /** By property name; without those whose claim the token does not have. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Names of standard claims that were omitted because their type differs from the standard's. */
  readonly unfit: readonly string[];
}

export const mappedClaims = (payload: JWTPayload, config: IntrospectionConfig): MappedClaims => {
  const values = new Map<string, unknown>();
  const unfit: string[] = [];
  for (const [name, { selector }] of Object.entries(config.claimsMapping)) {
    if (!Object.hasOwn(payload, selector)) continue;
    if (fits(selector, payload[selector])) values.set(name, payload[selector]);
    else unfit.push(selector);
  }
  return { values, unfit };
};

/**
 * The claims of a verified token that do not depend on the time: its own, overlaid by the mapped ones, then by the subject.
 * A mapped name has the value of its mapped claim or none, never that of another claim with this name. Built by spreading,
 * so that a claim of any name is an own property.
 */
export const lastingClaims = (
  payload: JWTPayload,
  subject: string,
  config: IntrospectionConfig,
  mapped: MappedClaims,
): Readonly<Record<string, unknown>> => {
  const claims: Record<string, unknown> = { ...payload, ...Object.fromEntries(mapped.values) };
  for (const name of Object.keys(config.claimsMapping)) if (!mapped.values.has(name)) delete claims[name];
  claims["external_id"] = subject;
  claims["sub"] = subject;
  if (payload.sub !== undefined && payload.sub !== subject) claims["original_sub"] = payload.sub;
  else delete claims["original_sub"];
  if (payload.iss !== undefined) claims["iss"] = payload.iss;
  else delete claims["iss"];
  return claims;
};

/** The claims that depend on the time of the request. `now` in milliseconds; ages in whole seconds. */
export const momentaryClaims = (payload: JWTPayload, now: number): Readonly<Record<string, unknown>> => ({
  auth_age: age(payload["auth_time"], now),
  token_age: age(payload.iat, now),
});
