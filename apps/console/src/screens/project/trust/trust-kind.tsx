import type { TrustScoreProfileRecord } from "@ikg/client";
import { Instant } from "../../../components/instant.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { type FormField, textIn } from "../form/form-field.ts";
import { describedFields, namedBody, namedValues, nameField } from "../records/named-fields.ts";
import type { RecordScreen } from "../records/record-screen.ts";
import { scheduleTexts } from "./profile-runs.ts";

type Profile = TrustScoreProfileRecord;
type Dimension = Profile["dimensions"][number]["name"];

const dimensionHints: Readonly<Record<Dimension, string>> = {
  VALIDITY: "its validity dates include today",
  VERIFICATION: "how much was verified, and how lately",
  FRESHNESS: "how recently it was written",
  ORIGIN: "how trustworthy its sources are",
  COMPLETENESS: "how complete it is",
};

const dimensions = Object.keys(dimensionHints) as readonly Dimension[];

export const dimensionText = (name: Dimension): string => name.charAt(0) + name.slice(1).toLowerCase();

const weightFields: readonly FormField[] = dimensions.map((name) => ({
  kind: "text",
  name,
  path: "dimensions",
  label: `Weight of ${dimensionText(name).toLowerCase()}`,
  placeholder: "left out",
  hint: `0 to 1: ${dimensionHints[name]}.`,
}));

/** A weight as it was typed, for the API to validate. */
const weightIn = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text));

const LastRun = ({ current_run: current, last_run_end_time: end }: Profile) => {
  if (current !== undefined)
    return (
      <span className="tag warn">
        runs: {current.scored.toLocaleString()} of {current.total.toLocaleString()}
      </span>
    );
  return end === "" ? <span className="hint">none yet</span> : <Instant at={end} />;
};

export const trustKind: RecordScreen<Profile> = {
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
    ...Object.fromEntries(
      dimensions.map((each) => [
        each,
        String(record?.dimensions.find(({ name }) => name === each)?.weight ?? ""),
      ]),
    ),
  }),
  bodyOf: (values, isNew) => ({
    ...namedBody(values, isNew),
    ...(isNew && { node_classification: textIn(values, "node_classification") }),
    schedule: textIn(values, "schedule"),
    dimensions: dimensions
      .map((name) => ({ name, text: textIn(values, name) }))
      .filter(({ text }) => text !== "")
      .map(({ name, text }) => ({ name, weight: weightIn(text) })),
  }),
  factsOf: (record) => [
    { label: "Scores", value: <PlainText text={record.node_classification} limit={64} /> },
    { label: "Runs", value: scheduleTexts[record.schedule] },
  ],
  removal:
    "Its scores are removed, usually within a second; conditions that compare them then match no node.",
};
