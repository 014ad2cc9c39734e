import type { QueryExplanation } from "@ikg/client";
import { shownCell } from "../output/cell.ts";
import { numberOf } from "../policy-tests/report/report.ts";
import { comparisonLine } from "./comparison-text.ts";
import { partLine } from "./part-line.ts";
import type { Branch } from "./tree.ts";

const outcomes: Readonly<Record<QueryExplanation["outcome"], string>> = {
  rows: "there are rows",
  filter_not_satisfied: "a filter leaves no row",
  pattern_not_matched: "the pattern does not match",
  unknown: "could not be determined in time",
};

const rowsBranch = ({ rows }: QueryExplanation): readonly Branch[] =>
  rows === undefined
    ? []
    : [
        {
          text: `the pattern has ${numberOf(rows.pattern, "row")}`,
          below: rows.filters.map(({ before, after, leaves = [], ...filter }) => ({
            text: `${comparisonLine(filter)}: ${before} → ${after}`,
            below: leaves.map(({ rows, ...leaf }) => ({ text: `${comparisonLine(leaf)}: true for ${rows}` })),
          })),
        },
      ];

const writtenBranch = ({ written = [] }: QueryExplanation): readonly Branch[] =>
  written.map(({ list, entry, elements }) => ({
    text: `${list} ${shownCell(entry)}: ${elements} written`,
  }));

const resolverBranch = ({ resolvers = [] }: QueryExplanation): readonly Branch[] =>
  resolvers.map(({ resolver, outcome, milliseconds }) => ({
    text: `resolver ${shownCell(resolver)}: ${outcome} in ${milliseconds} ms`,
  }));

/** An explanation of a query as a tree. */
export const queryTree = (explanation: QueryExplanation): Branch => {
  const { policy, query, outcome, missing = [], part, filter, statement } = explanation;
  return {
    text: `${query.name} (version ${query.version}) under ${policy.name} (version ${policy.version}): ${outcomes[outcome]}`,
    below: [
      ...missing.map((end) => ({ text: `the graph does not contain the ${end}` })),
      ...(part === undefined ? [] : [{ text: partLine(part) }]),
      ...(filter === undefined ? [] : [{ text: comparisonLine(filter) }]),
      ...rowsBranch(explanation),
      ...writtenBranch(explanation),
      ...resolverBranch(explanation),
      ...(statement === undefined
        ? []
        : [
            {
              text: `statement: ${statement.rows} rows, ${statement.database_hits} database hits, ${statement.milliseconds} ms`,
            },
          ]),
    ],
  };
};
