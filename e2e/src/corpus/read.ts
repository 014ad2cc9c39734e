import { readFileSync } from "node:fs";
import { join } from "node:path";
import { corpusFolder, corpusIsAbsent } from "../../../stack/src/testing/corpus.ts";
import type { Graph, GraphRelationship, NodeRef } from "../requests/capture.ts";
import type { Entry } from "./entry.ts";

const readJson = (...path: readonly string[]): unknown => {
  if (corpusFolder === undefined) throw new Error(corpusIsAbsent);
  return JSON.parse(readFileSync(join(corpusFolder, ...path), "utf8"));
};

/** Policies and queries of one folder. */
export const readEntries = (folder: string): readonly Entry[] =>
  // The README of the corpus gives the shape of this file and of the two below.
  readJson(folder, "policies.json") as readonly Entry[];

/** A graph, and apart from it the relationships that name nodes which are not in it. */
export interface CorpusGraph extends Graph {
  readonly dangling: readonly GraphRelationship[];
}

const keyOf = ({ type, external_id }: NodeRef): string => `${type}/${external_id}`;

export const readGraph = (folder: string): CorpusGraph => {
  const { nodes } = readJson(folder, "nodes.json") as Pick<Graph, "nodes">;
  const { relationships: all } = readJson(folder, "relationships.json") as Pick<Graph, "relationships">;
  const known = new Set(nodes.map(keyOf));
  const isWhole = ({ source, target }: GraphRelationship): boolean =>
    known.has(keyOf(source)) && known.has(keyOf(target));
  return {
    nodes,
    relationships: all.filter(isWhole),
    dangling: all.filter((relationship) => !isWhole(relationship)),
  };
};
