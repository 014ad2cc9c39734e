import type { Policy } from "../policy/compile.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import { cartesianWarnings } from "./cartesian-product.ts";
import type { GraphSchema, WarningOptions } from "./context.ts";
import { neverTrueOfQuery, neverTrueWarnings } from "./never-true.ts";
import { openLengthWarnings } from "./open-length.ts";
import { indexWarnings, scanWarnings } from "./scans.ts";
import { unknownNames, unknownNamesOfQuery } from "./unknown-names.ts";
import { unpinnedSubjectWarnings } from "./unpinned-subject.ts";
import type { Warning } from "./warning.ts";

const inOrder = (warnings: readonly Warning[]): readonly Warning[] =>
  warnings.toSorted(
    (a, b) =>
      (a.line ?? Infinity) - (b.line ?? Infinity) || (a.column ?? Infinity) - (b.column ?? Infinity) || 0,
  );

/** @param path of the whole text, in the warning that nothing was compared */
const namesIn = (
  { schema }: WarningOptions,
  path: string,
  compare: (schema: GraphSchema) => readonly Warning[],
): readonly Warning[] => {
  if (schema === undefined) return [];
  if (schema !== "unread") return compare(schema);
  const text =
    "the database of the project did not answer, so node types, relationship types and properties were not compared with its graph";
  return [{ code: "names-not-compared", text, path }];
};

/**
 * Warnings for the author of an accepted policy: what is probably unintended, or costs more than necessary. Never a
 * reason to refuse; computed on demand.
 */
export const warningsOf = (policy: Policy, options: WarningOptions = {}): readonly Warning[] =>
  inOrder([
    ...openLengthWarnings(policy),
    ...cartesianWarnings(policy),
    ...scanWarnings(policy),
    ...indexWarnings(policy, options),
    ...neverTrueWarnings(policy),
    ...unpinnedSubjectWarnings(policy),
    ...namesIn(options, "policy", (schema) => unknownNames(policy, schema)),
  ]);

/** Warnings for the author of a knowledge query; those about its policy are `warningsOf(query.policy)`. */
export const queryWarningsOf = (query: KnowledgeQuery, options: WarningOptions = {}): readonly Warning[] => [
  ...indexWarnings(query.policy, options, query),
  ...neverTrueOfQuery(query),
  ...namesIn(options, "query", (schema) => unknownNamesOfQuery(query, schema)),
];
