import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { bindRow, compilePolicy, type Policy } from "../../src/index.ts";
import { compileQuery } from "../../src/query/index.ts";
import { decideStatement, readStatement, searchStatement } from "../../src/statements/index.ts";
import { corpusIsAbsent } from "../../../../stack/src/testing/corpus.ts";
import { corpus, queriesOf } from "../corpus.ts";
import { openTestGraph } from "../graph.ts";
import { runs, seed, timeLimit } from "../runs.ts";
import { compileSpec } from "./check-query.ts";
import { fuzz, type Kind } from "./fuzz.ts";
import { unguarded } from "./guard.ts";
import { assertReport } from "./assert-report.ts";
import { kbacCases } from "./kbac-cases.ts";
import { casesPerGroup, kbacGroup, oneInput, queryGroup } from "./generate/cases.ts";
import { edgeTypes } from "./generate/graphs.ts";
import type { EdgeSpec, GraphSpec, NodeSpec } from "./model.ts";
import { kbacJson } from "./policy.ts";
import { queryCases } from "./query-cases.ts";
import { dropGraphs, freshKeys, writeGraphs } from "./store.ts";
import { keyOf } from "./world.ts";
import type { Verdict } from "./verdict.ts";
import { anyCost } from "./any-cost.ts";

let graph: Graph;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
});
afterAll(() => graph.close());

const copies = 12;

/** The same data, and so much more of it that a pattern which strays into it finds something or never ends. */
const neighbour = ({ nodes, edges }: GraphSpec): GraphSpec => {
  const more = nodes.flatMap((node) =>
    Array.from({ length: copies }, (_, index): NodeSpec => ({ ...node, id: `${node.id}-${index}` })),
  );
  const web = [...nodes, ...more].flatMap((from, row): EdgeSpec[] =>
    edgeTypes.map((type, index) => ({
      source: keyOf(from),
      type,
      target: keyOf([...nodes, ...more][(row * 7 + index) % (nodes.length + more.length)] ?? from),
      properties: { w: BigInt(1000 + row * 10 + index) },
    })),
  );
  return { nodes: [...nodes, ...more], edges: [...edges, ...web] };
};

/** A kind of case with such a neighbour in the same database. */
const besides = <G extends { readonly graph: GraphSpec }>(kind: Kind<G>): Kind<G> => ({
  ...kind,
  check: async (database, pk, group) => {
    const others = freshKeys(1);
    try {
      await writeGraphs(
        database,
        others.map((other) => [other, neighbour(group.graph)]),
      );
      return await kind.check(database, pk, group);
    } finally {
      await dropGraphs(database, others);
    }
  },
});

/** Every statement that can be printed of a policy. */
const statementsOf = (policy: Policy, pk: ProjectKey): readonly string[] => {
  if (!("condition" in policy) || !("resourceType" in policy)) return [];
  return [
    decideStatement([policy], pk, "row").text,
    decideStatement([policy], pk, "plain").text,
    searchStatement(policy, pk, "resource"),
    searchStatement(policy, pk, "subject"),
  ];
};

const walked = (texts: readonly string[], pk: ProjectKey): Verdict => {
  for (const text of texts) {
    const [fault] = unguarded(text, pk);
    if (fault !== undefined) return { kind: "differs", what: `${fault} in\n${text}` };
  }
  return { kind: "agrees", interesting: texts.length > 0 };
};

/** A walk reads statements alone: it needs no graph in the database, and inputs only for what is drawn. */
const noGraph: GraphSpec = { nodes: [], edges: [] };

const kbacWalk: typeof kbacCases = {
  ...kbacCases,
  make: (draw) => ({ ...kbacGroup(draw, oneInput), graph: noGraph }),
  inputsOf: () => 1,
  check: async (_, pk, { policies }) =>
    policies.map((spec) => {
      const checked = compilePolicy(JSON.stringify(kbacJson(spec)), anyCost);
      return checked.ok
        ? walked(statementsOf(checked.value, pk), pk)
        : { kind: "refused", what: checked.faults.join("; ") };
    }),
};

const queryWalk: typeof queryCases = {
  ...queryCases,
  make: (draw) => ({ ...queryGroup(draw, oneInput), graph: noGraph }),
  inputsOf: () => 1,
  check: async (_, pk, { queries }) =>
    queries.map((spec) => {
      const compiled = compileSpec(spec);
      return "kind" in compiled ? compiled : walked([readStatement(compiled, pk).text], pk);
    }),
};

describe("no policy leaves its project", () => {
  it(
    "decisions and searches are the same with a neighbour that has the same data and more",
    async () => {
      const options = {
        name: "decisions beside a neighbour",
        count: runs(160, casesPerGroup),
        perGroup: casesPerGroup,
        seed: seed(),
      };
      assertReport(await fuzz(graph, besides(kbacCases), options), 0.33);
    },
    timeLimit(300_000),
  );

  it(
    "rows are the same with a neighbour that has the same data and more",
    async () => {
      const options = {
        name: "reads beside a neighbour",
        count: runs(80, casesPerGroup),
        perGroup: casesPerGroup,
        seed: seed(),
      };
      assertReport(await fuzz(graph, besides(queryCases), options), 0.33);
    },
    timeLimit(300_000),
  );

  it(
    "every node pattern of a printed decision or search is bound or has a label of the project",
    async () => {
      const options = { name: "printed decisions", count: runs(800, 32), seed: seed() };
      assertReport(await fuzz(graph, kbacWalk, options), 0.9);
    },
    timeLimit(120_000),
  );

  it(
    "every node pattern of a printed read is bound or has a label of the project",
    async () => {
      const options = { name: "printed reads", count: runs(800, 32), seed: seed() };
      assertReport(await fuzz(graph, queryWalk, options), 0.9);
    },
    timeLimit(120_000),
  );
});

describe("the walk over a printed statement", () => {
  const pk = freshKeys(1)[0] ?? ("" as ProjectKey);

  it.each([
    ["MATCH (a)-->(b:`X__PK`)\nRETURN a AS a", 1],
    ["MATCH (a:X__PK)-->()\nRETURN a AS a", 1],
    ["MATCH (a:X__PK)-->(b:!Y__PK)\nRETURN a AS a", 1],
    ["MATCH (a:X__PK|Y)\nRETURN a AS a", 1],
    ["MATCH (a:X__PK) WITH a.x AS x MATCH (a)\nRETURN x AS x", 1],
    ["MATCH (a:X__PK) WHERE EXISTS { (a)-->() }\nRETURN 1 AS x", 1],
    ["MATCH (a:X__PK) WHERE size([(a)-->(b:%) | b.x]) > 0\nRETURN 1 AS x", 1],
    ["MATCH (a:X__PK) WHERE (a)-->(:X__PK)-->()\nRETURN 1 AS x", 1],
    [
      "MATCH (a:X__PK)-->(b:(!Y__PK)&_P__PK) WITH a, b WHERE EXISTS { (a)-->(:_Node&X__PK) }\nRETURN a AS a",
      0,
    ],
  ])("finds what is open in %s", (text, count) => {
    const open = unguarded(text.replaceAll("PK", pk), pk);
    expect(open.filter((fault) => fault.startsWith("a node"))).toHaveLength(count);
    expect(open).toHaveLength(count);
  });
});

describe("a key with a wrong label or of a wrong project", () => {
  it("matches nothing", async () => {
    const [here, there] = freshKeys(2);
    if (here === undefined || there === undefined) throw new Error("no keys");
    const nodes: NodeSpec[] = ["Nurse", "Chart", "Ward"].map((type) => ({
      type,
      id: "x",
      labels: [],
      properties: {},
    }));
    await writeGraphs(graph, [
      [here, { nodes, edges: [] }],
      [there, { nodes, edges: [] }],
    ]);
    const condition = { cypher: "MATCH (subject), (resource)" };
    const checked = compilePolicy(
      JSON.stringify({
        meta: { policy_version: "2.0-kbac" },
        subject: { type: "Nurse" },
        actions: ["READ"],
        resource: { type: "Chart" },
        condition,
      }),
    );
    if (!checked.ok || !("resourceType" in checked.value)) throw new Error("the policy was refused");
    const policy = checked.value;
    const granted = async (s: string, r: string): Promise<unknown> => {
      const row = { i: 0, s, r, c0: true, ...bindRow(policy.needs, { inputParams: {} }) };
      const [found] = await graph.shared.read(
        decideStatement([policy], here, "plain").text,
        { __row: row },
        { timeoutMs: 5_000 },
      );
      return found?.["granted_by"];
    };
    const [nurse, chart] = [nodeKey(here, "Nurse", "x"), nodeKey(here, "Chart", "x")];
    expect(await granted(nurse, chart)).toBe(0);
    expect(await granted(nurse, nodeKey(here, "Ward", "x"))).toBe(-1);
    expect(await granted(nurse, nodeKey(there, "Chart", "x"))).toBe(-1);
    expect(await granted(nodeKey(there, "Nurse", "x"), chart)).toBe(-1);
    expect(await granted(chart, nurse)).toBe(-1);
    await dropGraphs(graph, [here, there]);
  });
});

describe("the policies that people have written", () => {
  // oxlint-disable-next-line jest/no-disabled-tests
  if (corpusIsAbsent !== undefined) it.skip(`not run: ${corpusIsAbsent}`, () => undefined);
  else
    it("print statements in which every node pattern is bound or of the project", () => {
      const [pk] = freshKeys(1);
      if (pk === undefined) throw new Error("no key");
      let printed = 0;
      for (const entry of corpus) {
        if (entry.policy === undefined) continue;
        const checked = compilePolicy(JSON.stringify(entry.policy));
        if (!checked.ok) continue;
        const policy = checked.value;
        const reads =
          "resourceType" in policy
            ? []
            : queriesOf(entry).flatMap((query) => {
                const compiled = compileQuery(JSON.stringify(query), policy);
                if (!compiled.ok) return [];
                const { text, columns } = readStatement(compiled.value, pk);
                // A query that only writes reads nothing.
                return columns.length === 0 ? [] : [text];
              });
        for (const text of [...statementsOf(policy, pk), ...reads]) {
          printed++;
          expect([entry.id, text, unguarded(text, pk)]).toEqual([entry.id, text, []]);
        }
      }
      expect(printed).toBeGreaterThan(40);
    });
});
