import type { AuditSigningRecord } from "@ikg/client";
import { PlainText } from "../../../components/plain-text.tsx";
import { type FormField, type FormValues, jsonIn, textIn } from "../form/form-field.ts";
import { describedFields, namedBody, namedValues, nameField } from "../records/named-fields.ts";
import type { RecordKindView } from "../records/record-kind-view.ts";

export const providerTexts: Readonly<Record<AuditSigningRecord["provider"], string>> = {
  PLATFORM_MANAGED: "The platform's key",
  CUSTOMER_AWS_KMS: "A key in AWS KMS",
  CUSTOMER_GCP_KMS: "A key in Google Cloud KMS",
  CUSTOMER_AZURE_KEY_VAULT: "A key in Azure Key Vault",
};

const isCustomers = (values: FormValues): boolean => values["provider"] !== "PLATFORM_MANAGED";

const fields: readonly FormField[] = [
  nameField("our-key"),
  {
    kind: "choice",
    name: "provider",
    label: "Signs with",
    choices: Object.entries(providerTexts).map(([value, label]) => ({ value, label })),
  },
  {
    kind: "text",
    name: "key_resource",
    label: "Key",
    hint: "AWS: the ARN of the key or of an alias. Google: the resource name of a version. Azure: the address of a version.",
    isShown: isCustomers,
  },
  {
    kind: "text",
    name: "kid",
    label: "Key id in signatures",
    hint: "A key id that has signed always denotes the same key.",
    isShown: isCustomers,
  },
  {
    kind: "json",
    name: "auth_params",
    label: "Provider credentials, as JSON",
    placeholder: '{"role_arn": "arn:aws:iam::…"}',
    hint: "Never shown again. Leave empty to keep the stored credentials.",
    isShown: isCustomers,
  },
  ...describedFields,
];

export const signingKind: RecordKindView<AuditSigningRecord> = {
  collection: "auditSignings",
  operation: "audit_signing",
  tab: "signing",
  singular: "signing key",
  plural: "signing keys",
  columns: [
    { id: "provider", header: "Signs with", cell: ({ provider }) => providerTexts[provider] },
    {
      id: "key",
      header: "Key",
      look: "wide",
      cell: ({ key_resource: key }) => (key === undefined ? "–" : <PlainText text={key} limit={200} mono />),
    },
  ],
  fields,
  valuesOf: (record) => ({
    ...namedValues(record),
    provider: record?.provider ?? "PLATFORM_MANAGED",
    key_resource: record?.key_resource ?? "",
    kid: record?.kid ?? "",
    auth_params: "",
  }),
  bodyOf: (values, isNew) => {
    const provider = { ...namedBody(values, isNew), provider: textIn(values, "provider") };
    if (!isCustomers(values)) return provider;
    const params = jsonIn(values, "auth_params");
    return {
      ...provider,
      key_resource: textIn(values, "key_resource"),
      kid: textIn(values, "kid"),
      ...(params !== undefined && { auth_params: params }),
    };
  },
  factsOf: ({ provider, key_resource: key, kid, auth_params: params = {} }) => [
    { label: "Signs with", value: providerTexts[provider] },
    ...(key === undefined ? [] : [{ label: "Key", value: <PlainText text={key} limit={256} mono /> }]),
    ...(kid === undefined ? [] : [{ label: "Key id", value: <PlainText text={kid} limit={256} mono /> }]),
    ...(Object.keys(params).length === 0
      ? []
      : [
          {
            label: "Stored credentials",
            value: <PlainText text={Object.keys(params).join(", ")} limit={500} mono />,
          },
        ]),
  ],
  removal:
    "The most recently changed remaining signing key takes over, or the platform's key if there is none. The audit chain continues.",
};
