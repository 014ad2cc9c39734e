import type { TrustScoreProfileRecord } from "@ikg/client";
import { type FormField, type FormValues, textIn } from "../form/form-field.ts";

type Dimensions = TrustScoreProfileRecord["dimensions"];
type Dimension = Dimensions[number]["name"];

const dimensionHints: Readonly<Record<Dimension, string>> = {
  VALIDITY: "its validity dates include today",
  VERIFICATION: "how much was verified, and how lately",
  FRESHNESS: "how recently it was written",
  ORIGIN: "how trustworthy its sources are",
  COMPLETENESS: "how complete it is",
};

const dimensions = Object.keys(dimensionHints) as readonly Dimension[]; // of the literal above

export const dimensionText = (name: Dimension): string => name.charAt(0) + name.slice(1).toLowerCase();

/** The dimensions that have a weight, in the order in which they are sent. */
const weighted = (values: FormValues): readonly Dimension[] =>
  dimensions.filter((name) => textIn(values, name) !== "");

/** A field for the weight of each dimension; an empty one leaves the dimension out. */
export const weightFields: readonly FormField[] = dimensions.map((name): FormField => ({
  kind: "text",
  name,
  path: (sent: FormValues) => `dimensions[${weighted(sent).indexOf(name)}].weight`,
  label: `Weight of ${dimensionText(name).toLowerCase()}`,
  placeholder: "left out",
  hint: `0 to 1: ${dimensionHints[name]}.`,
}));

export const weightValues = (record: Dimensions): FormValues =>
  Object.fromEntries(
    dimensions.map((each) => [each, String(record.find(({ name }) => name === each)?.weight ?? "")]),
  );

/** A weight as it was typed, for the API to validate. */
const weightIn = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text));

/** What is sent. Without any weight all are 0, which the API refuses: an empty list would keep the former weights. */
export const weightsOf = (values: FormValues): readonly object[] => {
  const sent = weighted(values);
  return sent.length === 0
    ? dimensions.map((name) => ({ name, weight: 0 }))
    : sent.map((name) => ({ name, weight: weightIn(textIn(values, name)) }));
};
