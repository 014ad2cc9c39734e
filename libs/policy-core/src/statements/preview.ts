import type { ProjectKey } from "@ikg/physical";
import type { Policy } from "../policy/compile.ts";
import type { KnowledgeQuery } from "../query/query.ts";
import type { RequiredInputs } from "../values/reference.ts";
import { decideStatement, isRowable } from "./decide.ts";
import type { DecisionOptions } from "./ends.ts";
import { readStatement } from "./read.ts";
import { searchStatement } from "./search.ts";
import { trialStatements } from "./trial.ts";
import { writeStatements } from "./write/statements.ts";

/** A statement that a service sends for a policy or query, and what it is for. */
export interface PreviewedStatement {
  readonly purpose: string;
  readonly text: string;
  /** Members of the row that it takes besides values of the request; undefined for one that is never run for a preview. */
  readonly takes: readonly string[] | undefined;
  /** `rows`: it takes a list of rows as `$rows`; `row`: one as `$__row`. */
  readonly form: "rows" | "row";
}

const written = (purpose: string, text: string): PreviewedStatement => ({
  purpose,
  text,
  takes: undefined,
  form: "row",
});

/**
 * Statements of a policy: its decision and both searches, by the functions that the access service calls for a policy that is the
 * only candidate; of a CIQ policy, which no service sends by itself, the pattern that its queries match.
 */
export const previewPolicy = (
  policy: Policy,
  pk: ProjectKey,
  options: DecisionOptions = {},
): readonly PreviewedStatement[] => {
  if (policy.kind === "ciq")
    return trialStatements(policy, pk).map((text) => ({
      purpose: "match",
      text,
      takes: ["s", "skip", "take"],
      form: "row",
    }));
  const rowable = isRowable(policy);
  return [
    {
      purpose: "decision",
      text: decideStatement([policy], pk, rowable ? "row" : "plain", options).text,
      takes: ["i", "s", "r", "c0"],
      form: rowable ? "rows" : "row",
    },
    {
      purpose: "subject search",
      text: searchStatement(policy, pk, "subject", options),
      takes: ["r", "after", "limit"],
      form: "row",
    },
    {
      purpose: "resource search",
      text: searchStatement(policy, pk, "resource", options),
      takes: ["s", "after", "limit"],
      form: "row",
    },
  ];
};

/** Statements of a query, by the functions that the query service calls: its read, or its match and each step that writes. */
export const previewQuery = (query: KnowledgeQuery, pk: ProjectKey): readonly PreviewedStatement[] => {
  const writing = writeStatements(query, pk);
  if (writing === undefined)
    return [
      { purpose: "read", text: readStatement(query, pk).text, takes: ["s", "skip", "take"], form: "row" },
    ];
  const { atOnce, match, nodes, relationships, projection, deletes, writes } = writing;
  return [
    ...(atOnce === undefined ? [] : [written("all steps at once", atOnce)]),
    { purpose: "match", text: match.text, takes: ["s"], form: "row" },
    ...nodes.map((text, index) => written(`upsert node ${writes.upsertNodes[index]?.name ?? ""}`, text)),
    ...relationships.map((text, index) =>
      written(`upsert relationship ${writes.upsertRelationships[index]?.name ?? ""}`, text),
    ),
    ...(projection === undefined ? [] : [written("projection", projection.text)]),
    ...deletes.map(({ text }, index) => written(`delete ${index + 1}`, text)),
  ];
};

/** Names of the values of a request that the statements of a policy or query read, as their author writes them. */
export const namesOf = (needs: RequiredInputs): readonly string[] =>
  [...needs.references.values()].flatMap((reference) => {
    switch (reference.kind) {
      case "parameter":
        return [`$${[reference.name, ...reference.path].join(".")}`];
      case "token":
        return [`$token.${reference.path.join(".")}`];
      case "request":
        return [`$request.${reference.path.join(".")}`];
      case "application":
        return ["$_appId"];
      case "platform":
        return [`$${reference.name}`];
      case "absent":
        return [];
    }
  });
