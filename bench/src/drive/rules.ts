/** The rules of the drive: as policies, and written by hand for the raw driver. */
import type { Action } from "./answers.ts";

interface Rule {
  readonly name: string;
  readonly action: Action;
  /** the condition of the policy */
  readonly condition: string;
  /** the same for the database; `S` and `R` stand where subject and resource are named */
  readonly pattern: string;
  readonly where?: string;
}

const rules: readonly Rule[] = [
  {
    name: "read-own",
    action: "READ",
    condition:
      "MATCH (subject:Person)-[:OWNS]->(resource:Document) " +
      "WHERE resource.property.level <= subject.property.clearance",
    pattern: "S-[:OWNS]->R",
    where: "resource.level <= subject.clearance",
  },
  {
    name: "view-own",
    action: "VIEW",
    condition: "MATCH (subject:Person)-[:OWNS]->(resource:Document)",
    pattern: "S-[:OWNS]->R",
  },
  {
    name: "view-shared-folder",
    action: "VIEW",
    condition: "MATCH (resource:Document)-[:CHILD_OF*1..8]->(:Folder)-[:SHARED_WITH]->(subject:Person)",
    pattern: "R-[:CHILD_OF*1..8]->(:Folder)-[:SHARED_WITH]->S",
  },
  {
    name: "view-shared-with-group",
    action: "VIEW",
    condition:
      "MATCH (subject:Person)-[:MEMBER_OF*1..4]->(:Group)<-[:SHARED_WITH]-(:Folder)<-[:CHILD_OF*1..8]-(resource:Document)",
    pattern: "S-[:MEMBER_OF*1..4]->(:Group)<-[:SHARED_WITH]-(:Folder)<-[:CHILD_OF*1..8]-R",
  },
];

/** The policy records of a project, without the project. */
export const policies = rules.map(({ name, action, condition }) => ({
  name,
  policy: JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: [action],
    resource: { type: "Document" },
    condition: { cypher: condition },
  }),
}));

const inProject = (pattern: string, pk: string): string => pattern.replace(/:(Folder|Group)/g, `:$1__${pk}`);

const matched = ({ pattern, where }: Rule, pk: string, subject: string, resource: string): string => {
  const named = inProject(pattern, pk)
    .replace(/\bS\b/, `(subject:Person__${pk}&_Node {_key: ${subject}})`)
    .replace(/\bR\b/, `(resource:Document__${pk}&_Node {_key: ${resource}})`);
  return where === undefined ? `MATCH ${named}` : `MATCH ${named}\n  WHERE ${where}`;
};

const rulesOf = (action: Action): readonly Rule[] => rules.filter((rule) => rule.action === action);

/** Statements written with knowledge of the labels and keys: both ends by their unique key, one statement a rule. */
export const handWritten = (action: Action, pk: string): readonly string[] =>
  rulesOf(action).map(
    (rule) => `RETURN EXISTS {\n  ${matched(rule, pk, "$subject", "$resource")}\n} AS granted`,
  );

/** The same for many pairs at once, for an action of one rule. */
export const handWrittenBatch = (action: Action, pk: string): string =>
  rulesOf(action)
    .map(
      (rule) =>
        `UNWIND $rows AS row\nRETURN row.i AS i, EXISTS {\n  ${matched(rule, pk, "row.s", "row.r")}\n} AS granted`,
    )
    .join("\nUNION ALL\n");

/** All documents that a person may read, in order: one more than a page holds. */
export const handWrittenSearch = (
  pk: string,
): string => `MATCH (subject:Person__${pk}&_Node {_key: $subject})-[:OWNS]->(resource:Document__${pk})
WHERE resource.level <= subject.clearance
WITH DISTINCT resource
WITH resource.external_id AS id
RETURN id ORDER BY id LIMIT $limit`;
