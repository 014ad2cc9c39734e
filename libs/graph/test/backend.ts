import { randomBytes } from "node:crypto";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { connectGraph, type Graph, type StatementEvent } from "../src/index.ts";

/** A label that only this run of a test uses. */
export const scratchLabel = (): string => `_Scratch_${randomBytes(6).toString("hex")}`;

/** The graph of the environment, with every statement that it sends. */
export const watchedGraph = (): { graph: Graph; events: StatementEvent[] } => {
  const events: StatementEvent[] = [];
  return { graph: connectGraph(neo4jOfTests(), { onStatement: (event) => events.push(event) }), events };
};
