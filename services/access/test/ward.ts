import { randomBytes } from "node:crypto";
import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { connectGraph, type Graph } from "@ikg/graph";
import { newProjectKey, projectLabel } from "@ikg/physical";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { type Decide, openDecide } from "../src/decisions/decide.ts";
import { openExplain } from "../src/decisions/explain.ts";
import { pageTokens } from "../src/decisions/page-token.ts";
import { openSearch, type Search } from "../src/decisions/search.ts";
import { openSearchAction, type SearchAction } from "../src/decisions/search-action.ts";
import { withExplanation } from "../src/decisions/with-explanation.ts";
import { snapshotOf, storedPolicy } from "./policies.ts";
import { projectOf } from "./project.ts";

const pk = newProjectKey(randomBytes(8));
const label = projectLabel(pk);
export const options = { timeoutMs: 80_000 };

/** Five nurses on one ward, the even ones senior, and three charts, of which each nurse keeps one. */
export const nurses = ["n0", "n1", "n2", "n3", "n4"];

const createText = `UNWIND range(0, 2) AS c
  CREATE (:_Node:${label}:Chart__${pk} {_key: $pk + '/Chart/c' + c, external_id: 'c' + c, id: $pk + 'c' + c, type: 'Chart'})
  WITH count(*) AS made UNWIND range(0, 4) AS i
  CREATE (n:_Node:${label}:Nurse__${pk} {_key: $pk + '/Nurse/n' + i, external_id: 'n' + i, id: $pk + 'n' + i,
    type: 'Nurse', senior: i % 2 = 0, level: i})
  WITH n, i MATCH (c:_Node {_key: $pk + '/Chart/c' + (i % 3)}) CREATE (n)-[:KEEPS]->(c)`;

export const project = projectOf(pk);

export const snapshot = (...policies: StoredKbacPolicy[]): ProjectSnapshot => snapshotOf(project, policies);

export const asking = (changes: Record<string, unknown> = {}) => ({
  subject: { type: "Nurse" },
  resource: { type: "Chart", id: "c0" },
  action: { name: "READ" },
  context: undefined,
  token: undefined,
  ...changes,
});

/** The graph of the ward with the questions that it answers. */
export interface Ward {
  readonly graph: Graph;
  readonly decide: Decide;
  /** Decides whether n1 may READ c1, unless `changes` say otherwise, and explains it. */
  explain(policies: readonly StoredKbacPolicy[], changes?: Record<string, unknown>): ReturnType<Decide>;
  readonly subjects: Search;
  readonly actions: SearchAction;
  /** Statements that have reached the database. */
  statements(): number;
  close(): Promise<void>;
}

export const openWard = async (): Promise<Ward> => {
  let statements = 0;
  const graph = connectGraph(neo4jOfTests(), { onStatement: () => void statements++ });
  await graph.prepare();
  await graph.shared.write((tx) => tx.run(createText, { pk }), options);
  const decide = openDecide(graph);
  const explainedDecide = withExplanation(openExplain(graph))(decide);
  const tokens = pageTokens(randomBytes(32));
  return {
    graph,
    decide,
    explain: (policies, changes = {}) =>
      explainedDecide(
        snapshot(...policies),
        {
          ...asking(),
          subject: { type: "Nurse", id: "n1" },
          resource: { type: "Chart", id: "c1" },
          ...changes,
        },
        { ...options, explain: true },
      ),
    subjects: openSearch({ graph, tokens, decide }, "subject"),
    actions: openSearchAction(decide, openExplain(graph), tokens),
    statements: () => statements,
    close: async () => {
      await graph.shared.write((tx) => tx.run(`MATCH (n:${label}) DETACH DELETE n`, {}), options);
      await graph.close();
    },
  };
};

export const policy = (
  cypher: string,
  actions: readonly string[] = ["READ"],
  version = "2.0-kbac",
  filter?: unknown,
): StoredKbacPolicy => storedPolicy({ cypher, actions, version, filter });

export const keepers = policy("MATCH (subject)-[:KEEPS]->(resource)");
export const seniors = policy("MATCH (subject), (resource) WHERE subject.property.senior");
export const limited = policy("MATCH (subject), (resource) WHERE subject.property.level < $max", ["COUNT"]);
export const own = policy("MATCH (subject), (resource)", ["READ"], "3.0-kbac");
export const token = (subject: string) => ({
  subject,
  claims: { sub: subject },
  configId: "x",
  nodeType: "Token",
});
