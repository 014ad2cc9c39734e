import type { ExternalDataResolverRecord } from "@ikg/client";
import { PlainText } from "../../../components/plain-text.tsx";
import { jsonIn, textIn } from "../form/form-field.ts";
import { describedFields, namedBody, namedValues, nameField } from "../records/named-fields.ts";
import type { RecordKindView } from "../records/record-kind-view.ts";
import { HeaderList } from "./header-list.tsx";
import { placeholdersOf, sourceOf } from "./placeholders.ts";

const methods = ["GET", "POST", "PUT", "PATCH"].map((value) => ({ value, label: value }));

const Placeholders = (record: ExternalDataResolverRecord) => {
  const found = placeholdersOf(record);
  if (found.length === 0) return <span className="hint">none</span>;
  return (
    <ul className="plain-list">
      {found.map(({ name, fallback }) => (
        <li key={name}>
          <PlainText text={name} limit={100} mono /> from {sourceOf(name)}
          {fallback !== undefined && (
            <>
              , else <PlainText text={fallback} limit={100} mono />
            </>
          )}
        </li>
      ))}
    </ul>
  );
};

type ResolverView = RecordKindView<ExternalDataResolverRecord>;

const columns: ResolverView["columns"] = [
  {
    id: "call",
    header: "Calls",
    look: "wide",
    cell: ({ method, url }) => (
      <>
        <span className="tag">{method}</span> <PlainText text={url} limit={200} mono />
      </>
    ),
    sortBy: ({ url }) => url,
  },
  {
    id: "selector",
    header: "Takes",
    cell: ({ response_selector: selector }) => <PlainText text={selector} limit={80} mono />,
  },
];

const fields: ResolverView["fields"] = [
  nameField("prices"),
  { kind: "choice", name: "method", label: "Method", choices: methods },
  {
    kind: "text",
    name: "url",
    label: "Address",
    placeholder: "https://prices.example.com/v1/{$node.external_id}?currency={$currency || EUR}",
    hint: "Path and query may hold values: {$node.property.name} of the node, {$name || default} of the request.",
  },
  {
    kind: "json",
    name: "headers",
    label: "Headers, as JSON",
    placeholder: '{"X-Key": "…"}',
  },
  {
    kind: "long",
    name: "request_payload",
    label: "Body, as JSON",
    hint: "Its strings may hold values, too. Not sent with GET.",
  },
  {
    kind: "text",
    name: "response_selector",
    label: "Which part of the response is the value",
    placeholder: ".quote.amount",
    hint: "A path like .a.b[0], or JSONPath.",
  },
  ...describedFields,
];

const valuesOf: ResolverView["valuesOf"] = (record) => ({
  ...namedValues(record),
  method: record?.method ?? "GET",
  url: record?.url ?? "",
  headers: record?.headers === undefined ? "" : JSON.stringify(record.headers, null, 2),
  request_payload: record?.request_payload ?? "",
  response_selector: record?.response_selector ?? "",
});

const bodyOf: ResolverView["bodyOf"] = (values, isNew) => {
  const payload = textIn(values, "request_payload");
  const headers = jsonIn(values, "headers");
  return {
    ...namedBody(values, isNew),
    method: textIn(values, "method"),
    url: textIn(values, "url"),
    // An empty field removes what was there.
    ...((headers !== undefined || !isNew) && { headers: headers ?? {} }),
    ...((payload !== "" || !isNew) && { request_payload: payload }),
    request_content_type: "JSON",
    response_content_type: "JSON",
    response_selector: textIn(values, "response_selector"),
  };
};

const factsOf: ResolverView["factsOf"] = (record) => [
  {
    label: "Calls",
    value: (
      <>
        <span className="tag">{record.method}</span> <PlainText text={record.url} limit={2_048} mono />
      </>
    ),
  },
  { label: "Headers", value: <HeaderList headers={record.headers ?? {}} /> },
  ...(record.request_payload === undefined
    ? []
    : [{ label: "Body", value: <PlainText text={record.request_payload} limit={2_000} mono /> }]),
  { label: "Sends", value: <Placeholders {...record} /> },
  { label: "Takes", value: <PlainText text={record.response_selector} limit={255} mono /> },
];

export const resolverKind: ResolverView = {
  collection: "resolvers",
  operation: "external_data_resolver",
  tab: "resolvers",
  singular: "resolver",
  plural: "resolvers",
  columns,
  fields,
  valuesOf,
  bodyOf,
  factsOf,
  removal: "Properties that refer to it no longer have a value in the rows of queries.",
};
