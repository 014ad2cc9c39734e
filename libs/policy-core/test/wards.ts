/** Wards of a hospital in two projects, and how statements of explanations are run in the first. */
import { afterAll, beforeAll } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import type { Answer, DecisionExplanation, ReadExplanation } from "../src/explain/index.ts";
import {
  dropGraph,
  freshKey,
  openTestGraph,
  options,
  type TestEdge,
  type TestNode,
  writeGraph,
} from "./graph.ts";

const nodes: readonly TestNode[] = [
  { type: "Nurse", id: "n1", properties: { level: 3, name: "Ada" } },
  { type: "Nurse", id: "n2", properties: { level: 1, name: "Bo" } },
  { type: "Ward", id: "w1", properties: { name: "East" } },
  { type: "Ward", id: "w2", properties: { name: "West" } },
  { type: "Team", id: "t1" },
  { type: "Chart", id: "c1", properties: { risk: 1 } },
  { type: "Chart", id: "c2", properties: { risk: 5 } },
  { type: "Chart", id: "c3", properties: { risk: 2 } },
  { type: "Chart", id: "c4" },
];

const edges: readonly TestEdge[] = [
  ["Nurse/n1", "ON", "Ward/w1", { since: 2019 }],
  ["Nurse/n1", "ON", "Ward/w2", { since: 2020 }],
  ["Nurse/n2", "ON", "Ward/w2", { since: 2021 }],
  ["Nurse/n1", "ON", "Team/t1"],
  ["Ward/w1", "HOLDS", "Chart/c1"],
  ["Ward/w1", "HOLDS", "Chart/c2"],
  ["Ward/w2", "HOLDS", "Chart/c1"],
  ["Ward/w2", "HOLDS", "Chart/c3"],
  ["Nurse/n2", "SIGNED", "Chart/c3"],
];

/** The wards as they are written before the tests of a file. */
export class Wards {
  readonly here: ProjectKey = freshKey();
  readonly #there: ProjectKey = freshKey();
  readonly graph: Graph = openTestGraph();

  async write(): Promise<void> {
    await this.graph.prepare();
    await writeGraph(this.graph, this.here, nodes, edges);
    // A statement that leaves its project finds relationships that it does not hold.
    await writeGraph(this.graph, this.#there, nodes, [
      ...edges,
      ["Ward/w2", "HOLDS", "Chart/c4"],
      ["Nurse/n2", "LEADS", "Ward/w2"],
    ]);
  }

  async drop(): Promise<void> {
    await dropGraph(this.graph, this.here);
    await dropGraph(this.graph, this.#there);
    await this.graph.close();
  }

  /** Runs the statements of an explanation for one row. */
  run(row: object): (statement: string) => Promise<Answer> {
    return (statement) => this.graph.shared.read(statement, { __row: row }, options);
  }
}

/** Wards that are there while the tests of this file run. */
export const useWards = (): Wards => {
  const wards = new Wards();
  beforeAll(() => wards.write());
  afterAll(() => wards.drop());
  return wards;
};

/** The outcome in a few words: a matched path as `Type/id`s, or the kind and text of the part. */
export const brief = (explanation: DecisionExplanation | ReadExplanation): string => {
  switch (explanation.outcome) {
    case "pattern_not_matched":
      return `${explanation.certain ? "" : "perhaps "}${explanation.part.kind} ${explanation.part.text}`;
    case "ends_missing":
      return `missing ${explanation.ends.join(", ")}`;
    case "matched":
      return "path" in explanation
        ? explanation.path.nodes.map(({ type, external_id }) => `${type}/${external_id}`).join(" ")
        : "matched";
    default:
      return explanation.outcome;
  }
};
