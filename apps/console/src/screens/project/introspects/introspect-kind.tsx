import type { TokenIntrospectRecord } from "@ikg/client";
import { PlainText } from "../../../components/plain-text.tsx";
import type { RecordKindView } from "../records/record-kind-view.ts";
import { introspectBody, introspectFields, introspectValues, validationOf } from "./introspect-form.ts";
import { subjectClaimOf } from "./subject-claim.ts";

const validationTexts = {
  issuer: "by the keys that the issuer publishes",
  keys: "by the keys that are stated here",
  userinfo: "by the issuer, at its userinfo endpoint",
  introspection: "by the issuer, at its introspection endpoint",
} as const;

const shortTexts = {
  issuer: "published keys",
  keys: "stated keys",
  userinfo: "userinfo",
  introspection: "introspection",
} as const;

const Matcher = ({ jwt_matcher: jwt, opaque_matcher: opaque }: TokenIntrospectRecord) =>
  jwt === undefined ? (
    <>
      tokens that are no JWTs, of <PlainText text={opaque?.hint ?? ""} limit={60} />
    </>
  ) : (
    <span className="record-name">
      <PlainText text={jwt.issuer} limit={120} />
      <small>
        for <PlainText text={jwt.audience} limit={120} />
      </small>
    </span>
  );

const Claims = ({ claims_mapping: mapping }: TokenIntrospectRecord) => {
  const entries = Object.entries(mapping);
  if (entries.length === 0) return <span className="hint">none</span>;
  return (
    <ul className="plain-list">
      {entries.map(([property, { selector }]) => (
        <li key={property}>
          <PlainText text={property} mono /> from the claim <PlainText text={selector} limit={100} mono />
        </li>
      ))}
    </ul>
  );
};

export const introspectKind: RecordKindView<TokenIntrospectRecord> = {
  collection: "introspects",
  operation: "token_introspect",
  tab: "introspects",
  singular: "token introspection",
  plural: "token introspections",
  columns: [
    { id: "tokens", header: "Tokens of", look: "wide", cell: Matcher },
    {
      id: "type",
      header: "Stand for",
      cell: ({ ikg_node_type: type }) => <PlainText text={type} limit={60} />,
      sortBy: ({ ikg_node_type: type }) => type,
    },
    { id: "validation", header: "Verified by", cell: (record) => shortTexts[validationOf(record)] },
  ],
  fields: introspectFields,
  valuesOf: introspectValues,
  bodyOf: introspectBody,
  factsOf: (record) => [
    { label: "Tokens of", value: <Matcher {...record} /> },
    { label: "Verified", value: validationTexts[validationOf(record)] },
    {
      label: "Person",
      value: (
        <>
          the node of the type <PlainText text={record.ikg_node_type} limit={60} /> whose id is the claim{" "}
          <PlainText text={subjectClaimOf(record.sub_claim) ?? "sub"} limit={60} mono />
        </>
      ),
    },
    { label: "Mapped claims", value: <Claims {...record} /> },
    {
      label: "Writes the node",
      value: record.perform_upsert ? "yes, from the mapped claims, whenever a token is accepted" : "no",
    },
  ],
  removal:
    "Tokens that it accepts are refused within two seconds, and the people they belong to can no longer be identified.",
};
