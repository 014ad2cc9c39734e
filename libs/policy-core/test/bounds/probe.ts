import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { bindRow, compileKbac } from "../../src/index.ts";
import { decideStatement } from "../../src/statements/index.ts";
import { dropGraph, freshKey, writeGraph } from "../graph.ts";

/** A tenant that asks for one small decision after the other while another tenant works. */
export interface Probe {
  /** Milliseconds that each decision took so far. */
  readonly answers: number[];
  readonly failures: unknown[];
  stop(): Promise<void>;
}

const policy = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Guard" },
  actions: ["OPEN"],
  resource: { type: "Gate" },
  condition: { cypher: "MATCH (subject:Guard)-[:HAS_KEY]->(resource:Gate)" },
};

const pauseMs = 50;

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, pauseMs));

/** Writes the graph of the probing tenant and begins to ask. */
export const startProbe = async (graph: Graph, pk: ProjectKey = freshKey()): Promise<Probe> => {
  await writeGraph(
    graph,
    pk,
    [
      { type: "Guard", id: "g" },
      { type: "Gate", id: "north" },
    ],
    [["Guard/g", "HAS_KEY", "Gate/north"]],
  );
  const compilation = compileKbac(JSON.stringify(policy));
  if (!compilation.ok) throw new Error(compilation.faults.join("; "));
  const { text } = decideStatement([compilation.value], pk, "row");
  const values = bindRow(compilation.value.needs, { inputParams: {} });
  const rows = [{ i: 0, c0: true, s: nodeKey(pk, "Guard", "g"), r: nodeKey(pk, "Gate", "north"), ...values }];
  const [answers, failures]: [number[], unknown[]] = [[], []];
  const stopped = new AbortController();
  const asking = (async () => {
    while (!stopped.signal.aborted) {
      const begun = performance.now();
      try {
        const found = await graph.shared.read(text, { rows }, { timeoutMs: 5_000 });
        if (found.length !== 1) failures.push(found);
      } catch (error) {
        failures.push(error);
      }
      answers.push(performance.now() - begun);
      await pause();
    }
  })();
  return {
    answers,
    failures,
    stop: async () => {
      stopped.abort();
      await asking;
      await dropGraph(graph, pk);
    },
  };
};
