import { beforeAll, describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { storePolicy } from "../../src/configuration/save-policy.ts";
import { storeQuery } from "../../src/configuration/save-query.ts";
import { projectOf, type Side, sides, useTwinProjects } from "../../src/fixtures/twin-projects.ts";
import { execute } from "../../src/requests/execute.ts";
import { takeEffect } from "../../src/take-effect.ts";

useTwinProjects();

describe("queries", () => {
  interface Pattern {
    readonly cypher: string;
    readonly reads: Readonly<Record<string, readonly string[]>>;
    /** Rows on either side; `mark` stands for the side. */
    readonly rows: (mark: Side) => readonly object[];
  }
  const marks = (count: number) => (mark: Side) =>
    Array.from({ length: count }, () => ({ nodes: { "x.property.mark": mark } }));
  const marked = { nodes: ["x.property.mark"] };
  const value = (of: (mark: Side) => unknown) => (mark: Side) => [
    { nodes: {}, aggregate_values: { value: of(mark) } },
  ];
  const aggregated = { aggregate_values: ["value"] };
  /** Relationships of the left, which has one more than the right. */
  const edges = (mark: Side): number => (mark === "left" ? 4 : 3);
  /** Nodes besides the five of the graph: the application and its agent, which have no mark. */
  const systemNodes = 2;

  const patterns: Readonly<Record<string, Pattern>> = {
    "every node": {
      cypher: "MATCH (x) WHERE x.property.mark IS NOT NULL",
      reads: marked,
      rows: marks(5),
    },
    "every node counted": {
      cypher: "MATCH (x) WITH subject, count(x) AS value",
      reads: aggregated,
      rows: value(() => 5 + systemNodes),
    },
    "a negated label": {
      cypher: "MATCH (x:!_Application&!_AppAgent)",
      reads: marked,
      rows: marks(5),
    },
    "a label in a condition": { cypher: "MATCH (x) WHERE x:Person OR x:Car", reads: marked, rows: marks(4) },
    "every relationship": {
      cypher:
        "MATCH ()-[r]->() WHERE r.mark IS NOT NULL WITH subject, collect(DISTINCT r.mark) AS marks, count(r) AS number WITH subject, [marks, number] AS value",
      reads: aggregated,
      rows: value((mark) => [[mark], edges(mark)]),
    },
    "undirected relationships": {
      cypher: "MATCH (:Person)-[r]-(x) WITH subject, collect(DISTINCT x.property.mark) AS value",
      reads: aggregated,
      rows: value((mark) => [mark]),
    },
    "variable length": {
      cypher:
        "MATCH (:Person {external_id: 'ann'})-[*]-(x) WITH subject, collect(DISTINCT x.property.mark) AS value",
      reads: aggregated,
      rows: value((mark) => [mark]),
    },
    "a whole path": {
      cypher:
        "MATCH p = (:Person {external_id: 'ann'})-[:KNOWS|OWNS*2]->(x:Car) WITH subject, [n IN nodes(p) | n.property.mark] AS value",
      reads: aggregated,
      rows: value((mark) => [mark, mark, mark]),
    },
    EXISTS: {
      cypher: "MATCH (x:Person) WHERE EXISTS { (x)-[:OWNS]->(:Bus) }",
      reads: marked,
      rows: (mark) => marks(mark === "left" ? 2 : 1)(mark),
    },
    "EXISTS with a pattern of its own": {
      cypher: "MATCH (x:Car) WHERE EXISTS { MATCH (y) WHERE y.external_id = 'only-left' }",
      reads: marked,
      rows: (mark) => marks(mark === "left" ? 1 : 0)(mark),
    },
    "COUNT of anything": {
      cypher: "WITH subject, COUNT { (y)--(z) } AS value",
      reads: aggregated,
      // Both directions, and the agent that belongs to the application.
      rows: value((mark) => 2 * (edges(mark) + 1)),
    },
    "a pattern comprehension": {
      cypher: "MATCH (x:Bus) WITH subject, [(x)<-[:OWNS]-(y) | y.property.mark] AS value",
      reads: aggregated,
      rows: value((mark) => (mark === "left" ? ["left", "left"] : ["right"])),
    },
    "OPTIONAL MATCH": {
      cypher: "MATCH (x:Person {external_id: 'ann'}) OPTIONAL MATCH (x)-[:OWNS]->(y)",
      reads: { nodes: ["y.property.mark"] },
      rows: (mark) => [{ nodes: { "y.property.mark": mark === "left" ? "left" : null } }],
    },
    "an id looked up": {
      cypher: "MATCH (x {external_id: 'car'})",
      reads: marked,
      rows: marks(1),
    },
    "the other application": {
      cypher: "MATCH (x:_Application) WITH subject, count(x) AS value",
      reads: aggregated,
      rows: value(() => 1),
    },
    "the application's neighbours": {
      cypher: "MATCH (subject)-[*1..5]-(x) WITH subject, count(x) AS value",
      reads: aggregated,
      rows: value(() => 1),
    },
  };

  const queryIds = new Map<string, string>();
  const keyOf = (side: Side, name: string): string => `${side}: ${name}`;

  const storePattern = async (side: Side, { cypher, reads }: Pattern): Promise<string> => {
    const { projectId } = projectOf(side);
    const policyId = await storePolicy(projectId, {
      policy: {
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "_Application" },
        condition: { cypher: `MATCH (subject:_Application) ${cypher}` },
        allowed_reads: reads,
      },
    });
    return storeQuery(projectId, { policyId, query: reads });
  };

  beforeAll(async () => {
    const all = Object.entries(patterns).flatMap(([name, pattern]) =>
      sides.map((side) => ({ side, name, pattern })),
    );
    await inParallel(all, async ({ side, name, pattern }) => {
      queryIds.set(keyOf(side, name), await storePattern(side, pattern));
    });
    await takeEffect();
  }, 90_000);

  const rowsOf = (side: Side, name: string): Promise<readonly object[]> =>
    execute({ id: queryIds.get(keyOf(side, name)) ?? "", page_size: 1_000 }, projectOf(side));

  it.each(Object.keys(patterns))("%s: each side sees its own", async (name) => {
    const pattern = patterns[name];
    if (pattern === undefined) throw new Error("no such pattern");
    const [left, right] = await Promise.all(sides.map((side) => rowsOf(side, name)));
    expect(left).toEqual(pattern.rows("left"));
    expect(right).toEqual(pattern.rows("right"));
  });
});
