import type { ApplicationRecord } from "@ikg/client";
import { describedFields, namedBody, namedValues, nameField } from "../records/named-fields.ts";
import type { RecordKindView } from "../records/record-kind-view.ts";

export const applicationKind: RecordKindView<ApplicationRecord> = {
  collection: "applications",
  operation: "application",
  tab: "applications",
  singular: "application",
  plural: "applications",
  columns: [],
  fields: [nameField("shop"), ...describedFields],
  valuesOf: namedValues,
  bodyOf: namedBody,
  factsOf: () => [],
  removal: "Its agents and their keys are removed. Calls with one of them are refused within two seconds.",
};
