import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { newProjectKey } from "@ikg/physical";
import fc from "fast-check";
import { type Json, openProject, openTestGraph, type TestProject } from "./ciq-under-test.ts";
import {
  answeredRow,
  beyondLists,
  drawn,
  graphLines,
  pasteable,
  plainOf,
  runs,
  seed,
  timeLimit,
  type WriteCase,
  writeCase,
  writeGraphs,
  writeOutcome,
  writePolicyJson,
  writeQueryJson,
} from "./drawn-cases.ts";
import { readState } from "./read-state.ts";
import { isRefusedForCost } from "./refused-for-cost.ts";

/**
 * Drawn policies, writing queries and graphs: whatever an execution changes is in the lists of its policy, and is what
 * an evaluator says that shares nothing with the engine.
 */
/** Each case has statements that the database has never planned. */
const count = runs(300, 100);
const inFlight = 4;
const usualSeed = 7;

let graph: Graph;
/** Another project with a graph of its own, of which nothing may ever change. */
let other: TestProject;
let untouched = "";

const kept = (spec: WriteCase["graph"]): WriteCase["graph"] => ({
  ...spec,
  edges: spec.edges.map((edge) => ({ ...edge, properties: { ...edge.properties, _discriminator: "" } })),
});

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  const pk = newProjectKey(randomBytes(8));
  other = await openProject(graph, { nodes: {}, edges: [] }, pk);
  const [first] = fc.sample(drawn(writeCase), { numRuns: 1, seed: 1 });
  if (first !== undefined) await writeGraphs(graph, [[pk, kept(first.graph)]]);
  untouched = await other.picture();
});
afterAll(async () => {
  await other?.drop();
  await graph?.close();
});

const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json; // an object, as it is saved

interface Judged {
  readonly changed: boolean;
  readonly rows: number;
}

/** @throws Error that tells the case */
const judge = async ({ graph: spec, inputs, spec: write }: WriteCase): Promise<Judged> => {
  const pk = newProjectKey(randomBytes(8));
  const here = await openProject(graph, { nodes: {}, edges: [] }, pk);
  try {
    // The drawn graph is the whole project, without the platform's own nodes.
    await here.drop();
    await writeGraphs(graph, [[pk, kept(spec)]]);
    const wanted = writeOutcome(write, spec, inputs);
    const before = await readState(graph, pk);
    expect(graphLines(before)).toEqual(graphLines(wanted.before));
    const answered = await here.execute(json(writePolicyJson(write)), json(writeQueryJson(write)), {
      params: plainOf(inputs.params) as Json,
      token: plainOf(inputs.token) as Json,
      pageSize: 1_000,
    });
    const after = await readState(graph, pk);
    expect(beyondLists(write.lists, wanted, before, after)).toEqual([]);
    expect(graphLines(after)).toEqual(graphLines(wanted.after));
    expect(answered.map(answeredRow).toSorted()).toEqual(wanted.rows.toSorted());
    return {
      changed: graphLines(after).join("\n") !== graphLines(before).join("\n"),
      rows: answered.length,
    };
  } catch (error) {
    const counterexample = {
      policy: writePolicyJson(write),
      query: writeQueryJson(write),
      graph: spec,
      inputs,
    };
    throw new Error(
      `${error instanceof Error ? error.message : String(error)}\n${pasteable(counterexample)}`,
      {
        cause: error,
      },
    );
  } finally {
    await here.drop();
  }
};

describe("drawn queries that write", () => {
  it(
    "change what their policy lists and the evaluator says, nothing else, and answer its rows",
    async () => {
      const cases = fc.sample(drawn(writeCase), { numRuns: count, seed: seed() ?? usualSeed });
      let [changed, withRows] = [0, 0];
      const waiting = cases.filter(
        ({ spec }) => !isRefusedForCost(json(writePolicyJson(spec)), json(writeQueryJson(spec))),
      );
      await Promise.all(
        Array.from({ length: inFlight }, async () => {
          for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
            const judged = await judge(each);
            if (judged.changed) changed += 1;
            if (judged.rows > 0) withRows += 1;
          }
        }),
      );
      process.stdout.write(
        `writes: ${cases.length} cases, ${withRows} with rows, ${changed} changed the graph\n`,
      );
      expect(await other.picture()).toBe(untouched);
      // Or little was tried.
      expect(changed / cases.length).toBeGreaterThan(0.6);
      expect(withRows).toBeLessThan(cases.length);
    },
    timeLimit(300_000),
  );

  it("are found to be beyond their lists when the lists are taken away", () => {
    const cases = fc.sample(drawn(writeCase), { numRuns: 100, seed: usualSeed });
    const none = {
      existingNodes: [],
      nodeTypes: [],
      existingEdges: [],
      triples: [],
      deleteNodes: [],
      deleteEdges: [],
    };
    let beyond = 0;
    for (const { graph: spec, inputs, spec: write } of cases) {
      const outcome = writeOutcome(write, spec, inputs);
      const changes = graphLines(outcome.before).join("\n") !== graphLines(outcome.after).join("\n");
      const faults = beyondLists(none, outcome, outcome.before, outcome.after);
      expect(faults.length > 0).toBe(changes);
      beyond += Number(changes);
    }
    expect(beyond).toBeGreaterThan(50);
  });
});
