import type { TrustScoreProfileRecord } from "@ikg/client";
import { Instant } from "../../../components/instant.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { textIn } from "../form/form-field.ts";
import { describedFields, namedBody, namedValues, nameField } from "../records/named-fields.ts";
import type { RecordKindView } from "../records/record-kind-view.ts";
import { scheduleTexts } from "./profile-runs.ts";
import { dimensionText, weightFields, weightsOf, weightValues } from "./weights.ts";

type Profile = TrustScoreProfileRecord;

const LastRun = ({ current_run: current, last_run_end_time: end }: Profile) => {
  if (current !== undefined)
    return (
      <span className="tag warn">
        runs: {current.scored.toLocaleString()} of {current.total.toLocaleString()}
      </span>
    );
  return end === "" ? <span className="hint">none yet</span> : <Instant at={end} />;
};

export const trustKind: RecordKindView<Profile> = {
  collection: "trustScoreProfiles",
  operation: "trust_score_profile",
  tab: "trust",
  singular: "trust score profile",
  plural: "trust score profiles",
  columns: [
    {
      id: "type",
      header: "Scores",
      cell: ({ node_classification: type }) => <PlainText text={type} limit={60} />,
      sortBy: ({ node_classification: type }) => type,
    },
    {
      id: "dimensions",
      header: "By",
      look: "wide",
      cell: ({ dimensions: all }) =>
        all.map(({ name, weight }) => `${dimensionText(name).toLowerCase()} ${weight}`).join(", "),
    },
    {
      id: "schedule",
      header: "Runs",
      cell: ({ schedule }) => <span className="short">{scheduleTexts[schedule]}</span>,
    },
    { id: "last", header: "Last run", cell: LastRun, sortBy: ({ last_run_end_time: end }) => end },
  ],
  fields: [
    nameField("people"),
    {
      kind: "text",
      name: "node_classification",
      label: "Node type",
      placeholder: "Person",
      hint: "One profile for each type; it never changes.",
      isFixed: true,
    },
    {
      kind: "choice",
      name: "schedule",
      label: "It runs",
      choices: Object.entries(scheduleTexts).map(([value, label]) => ({ value, label })),
    },
    ...weightFields,
    ...describedFields,
  ],
  valuesOf: (record) => ({
    ...namedValues(record),
    node_classification: record?.node_classification ?? "",
    schedule: record?.schedule ?? "DAILY",
    ...weightValues(record?.dimensions ?? []),
  }),
  bodyOf: (values, isNew) => ({
    ...namedBody(values, isNew),
    ...(isNew && { node_classification: textIn(values, "node_classification") }),
    schedule: textIn(values, "schedule"),
    dimensions: weightsOf(values),
  }),
  factsOf: (record) => [
    { label: "Scores", value: <PlainText text={record.node_classification} limit={64} /> },
    { label: "Runs", value: scheduleTexts[record.schedule] },
  ],
  removal:
    "Its scores are removed, usually within a second; conditions that compare them then match no node.",
};
