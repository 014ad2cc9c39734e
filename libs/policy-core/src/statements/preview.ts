import type { ProjectKey } from "@ikg/physical";
import type { KnowledgeQuery } from "../query/query.ts";
import { type RequiredInputs, referenceText } from "../values/reference.ts";
import { requestKeys } from "../values/row-keys.ts";
import { type PurposedStatement, readKeys } from "./policy-statements.ts";
import { readStatement } from "./read.ts";
import { writeStatements } from "./write/statements.ts";

const written = (purpose: string, text: string): PurposedStatement => ({
  purpose,
  text,
  takes: undefined,
  form: "row",
});

/** Statements of a query, by the functions that the query service calls: its read, or its match and each step that writes. */
export const previewQuery = (query: KnowledgeQuery, pk: ProjectKey): readonly PurposedStatement[] => {
  const writing = writeStatements(query, pk);
  if (writing === undefined)
    return [{ purpose: "read", text: readStatement(query, pk).text, takes: readKeys, form: "row" }];
  const { atOnce, match, nodes, relationships, projection, deletes, writes } = writing;
  return [
    ...(atOnce === undefined ? [] : [written("all steps at once", atOnce)]),
    { purpose: "match", text: match.text, takes: [requestKeys.subject], form: "row" },
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
  [...needs.references.values()].flatMap((reference) =>
    reference.kind === "absent" ? [] : [referenceText(reference)],
  );
