import type { ApplicationRecord } from "@ikg/client";
import { describedFields, namedBody, namedValues, nameField } from "../records/named-fields.ts";
import type { RecordScreen } from "../records/record-screen.ts";

export const applicationKind: RecordScreen<ApplicationRecord> = {
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
