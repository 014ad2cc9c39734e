import type { TokenIntrospectRecord } from "@ikg/client";
import { type FormField, type FormValues, given, jsonIn, listIn, textIn } from "../form/form-field.ts";
import { describedFields, namedBody, namedValues, nameField } from "../records/named-fields.ts";
import { subjectClaimOf } from "./subject-claim.ts";

type Validation = "issuer" | "keys" | "userinfo" | "introspection";

const isJwt = (values: FormValues): boolean => values["tokens"] === "jwt";
const isValidated = (by: Validation) => (values: FormValues) => values["validation"] === by;

const isOnline = (values: FormValues): boolean =>
  isValidated("userinfo")(values) || isValidated("introspection")(values);

export const introspectFields: readonly FormField[] = [
  nameField("customers"),
  {
    kind: "choice",
    name: "tokens",
    label: "Tokens",
    choices: [
      { value: "jwt", label: "JWTs of an issuer" },
      { value: "opaque", label: "Opaque tokens" },
    ],
  },
  {
    kind: "text",
    name: "issuer",
    label: "Issuer",
    path: "jwt_matcher.issuer",
    placeholder: "https://login.example.com",
    hint: "Compared with the claim iss, character by character.",
    isShown: isJwt,
  },
  {
    kind: "text",
    name: "audience",
    label: "Audience",
    path: "jwt_matcher.audience",
    hint: "One of the values of the claim aud.",
    isShown: isJwt,
  },
  {
    kind: "text",
    name: "hint",
    label: "Whose tokens they are",
    path: "opaque_matcher.hint",
    isShown: (values) => !isJwt(values),
  },
  {
    kind: "choice",
    name: "validation",
    label: "Verified",
    choices: [
      { value: "issuer", label: "By the keys that the issuer publishes (JWTs)" },
      { value: "keys", label: "By keys that are stated here (JWTs)" },
      { value: "userinfo", label: "By the issuer, at its userinfo endpoint" },
      { value: "introspection", label: "By the issuer, at its introspection endpoint (RFC 7662)" },
    ],
  },
  {
    kind: "list",
    name: "public_jwks",
    label: "Public keys, each as the JSON of a JWK",
    path: "offline_validation.public_jwks",
    item: "public key",
    max: 10,
    isShown: isValidated("keys"),
  },
  {
    kind: "text",
    name: "userinfo_endpoint",
    label: "Userinfo endpoint",
    path: "online_validation.userinfo_endpoint",
    hint: "Leave empty to use the endpoint that the issuer publishes.",
    isShown: isValidated("userinfo"),
  },
  {
    kind: "text",
    name: "introspection_endpoint",
    label: "Introspection endpoint",
    path: "online_validation.introspection_endpoint",
    isShown: isValidated("introspection"),
  },
  {
    kind: "text",
    name: "client_id",
    label: "Client id",
    path: "online_validation.client_id",
    isShown: isValidated("introspection"),
  },
  {
    kind: "secret",
    name: "client_secret",
    label: "Client secret",
    path: "online_validation.client_secret",
    hint: "It is never shown again, so each change of this record needs it.",
    isShown: isValidated("introspection"),
  },
  {
    kind: "text",
    name: "cache_ttl",
    label: "Seconds for which an answer of the issuer is kept",
    path: "online_validation.cache_ttl",
    placeholder: "0",
    isShown: isOnline,
  },
  {
    kind: "text",
    name: "ikg_node_type",
    label: "Node type of the people",
    placeholder: "Person",
    hint: "A token stands for the node of this type whose id is the subject.",
  },
  {
    kind: "text",
    name: "sub_claim",
    label: "Claim of the subject",
    placeholder: "sub",
    hint: "Its value is the id of the node.",
  },
  {
    kind: "json",
    name: "claims_mapping",
    label: "Mapped claims, as JSON",
    placeholder: '{"email": {"selector": "email"}}',
    hint: "Property of the node to the claim that it comes from.",
  },
  {
    kind: "check",
    name: "perform_upsert",
    label: "Write the node of the person",
    hint: "Whenever a token is accepted, from the mapped claims.",
  },
  ...describedFields,
];

/** How a token is verified, as one of four ways. */
export const validationOf = (
  record: Pick<TokenIntrospectRecord, "offline_validation" | "online_validation">,
): Validation => {
  const { offline_validation: offline, online_validation: online } = record;
  if (online !== undefined) return online.introspection_endpoint === undefined ? "userinfo" : "introspection";
  return (offline?.public_jwks ?? []).length > 0 ? "keys" : "issuer";
};

export const introspectValues = (record: TokenIntrospectRecord | undefined): FormValues => ({
  ...namedValues(record),
  tokens: record?.opaque_matcher === undefined ? "jwt" : "opaque",
  issuer: record?.jwt_matcher?.issuer ?? "",
  audience: record?.jwt_matcher?.audience ?? "",
  hint: record?.opaque_matcher?.hint ?? "",
  validation: record === undefined ? "issuer" : validationOf(record),
  public_jwks: record?.offline_validation?.public_jwks ?? [],
  userinfo_endpoint: record?.online_validation?.userinfo_endpoint ?? "",
  introspection_endpoint: record?.online_validation?.introspection_endpoint ?? "",
  client_id: record?.online_validation?.client_id ?? "",
  client_secret: "",
  cache_ttl: String(record?.online_validation?.cache_ttl ?? ""),
  ikg_node_type: record?.ikg_node_type ?? "",
  sub_claim: subjectClaimOf(record?.sub_claim) ?? "",
  claims_mapping:
    record === undefined || Object.keys(record.claims_mapping).length === 0
      ? ""
      : JSON.stringify(record.claims_mapping, null, 2),
  perform_upsert: record?.perform_upsert ?? false,
});

/** A text that is not a number is sent unchanged, for the API to report. */
const seconds = (values: FormValues) => {
  const text = textIn(values, "cache_ttl");
  return text === "" ? {} : { cache_ttl: /^\d+$/.test(text) ? Number(text) : text };
};

const validationBody = (values: FormValues): object => {
  if (isValidated("keys")(values))
    return { offline_validation: { public_jwks: listIn(values, "public_jwks") } };
  if (isValidated("userinfo")(values))
    return { online_validation: { ...given(values, "userinfo_endpoint"), ...seconds(values) } };
  if (isValidated("introspection")(values))
    return {
      online_validation: {
        ...given(values, "introspection_endpoint"),
        ...given(values, "client_id"),
        ...given(values, "client_secret"),
        ...seconds(values),
      },
    };
  return {};
};

/** What is left out of a change is removed, so everything is sent. */
export const introspectBody = (values: FormValues, isNew: boolean): Readonly<Record<string, unknown>> => ({
  ...namedBody(values, isNew),
  ...(isJwt(values)
    ? { jwt_matcher: { issuer: textIn(values, "issuer"), audience: textIn(values, "audience") } }
    : { opaque_matcher: { hint: textIn(values, "hint") } }),
  ...validationBody(values),
  claims_mapping: jsonIn(values, "claims_mapping") ?? {},
  ...given(values, "sub_claim"),
  ikg_node_type: textIn(values, "ikg_node_type"),
  perform_upsert: values["perform_upsert"] === true,
});
