import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { GraphNode, GraphRelationship, ChangeSetEntry } from "../contract/wire.ts";

export interface TestGraph {
  readonly nodes?: readonly GraphNode[];
  readonly relationships?: readonly GraphRelationship[];
}

type Json = Readonly<Record<string, unknown>>;

/** A stored query: the name of its policy, and its content or a file with it. */
export interface TestQuery {
  readonly policy: string;
  readonly query: string | Json;
}

/** @throws Error that names the file. */
export const readJson = async (path: string): Promise<unknown> => {
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not JSON`, { cause });
  }
};

const contentOf = async (content: string | Json): Promise<Json> =>
  typeof content === "string" ? ((await readJson(content)) as Json) : content; // judged by the suite

/** Graphs of JSON files and of code, as one. */
export const readGraph = async (
  sources: TestGraph | string | readonly (TestGraph | string)[],
): Promise<Required<TestGraph>> => {
  const each = await Promise.all(
    [sources]
      .flat()
      .map(async (source) => (typeof source === "string" ? ((await readJson(source)) as TestGraph) : source)), // judged by the suite
  );
  return {
    nodes: each.flatMap(({ nodes = [] }) => nodes),
    relationships: each.flatMap(({ relationships = [] }) => relationships),
  };
};

/** Files `NAME.json` of a folder, or one file, by name. */
const filesOf = async (path: string): Promise<readonly (readonly [string, string])[]> => {
  const isFolder = (await stat(path)).isDirectory();
  const files = isFolder ? (await readdir(path)).sort().map((name) => join(path, name)) : [path];
  return files
    .filter((file) => file.endsWith(".json"))
    .map((file) => [basename(file, ".json"), file] as const);
};

/** Policies by name, or files of them. */
export const readPolicies = async (
  policies: string | Readonly<Record<string, string | Json>>,
): Promise<readonly ChangeSetEntry[]> => {
  const entries = typeof policies === "string" ? await filesOf(policies) : Object.entries(policies);
  return Promise.all(
    entries.map(async ([name, content]) => ({
      op: "put" as const,
      collection: "authorization-policies" as const,
      name,
      record: { policy: await contentOf(content), status: "ACTIVE" as const },
    })),
  );
};

export const readQueries = async (
  queries: Readonly<Record<string, TestQuery>>,
): Promise<readonly ChangeSetEntry[]> =>
  Promise.all(
    Object.entries(queries).map(async ([name, { policy, query }]) => ({
      op: "put" as const,
      collection: "knowledge-queries" as const,
      name,
      record: { policy, query: await contentOf(query), status: "ACTIVE" as const },
    })),
  );
