import { UpsertNode, UpsertRelationship, faultsOf } from "@ikg/contracts";
import { isJsonObject } from "@ikg/contracts/values";
import type { DiagnosticList, Place, Source } from "@ikg/sources";
import { Scanner, ShortFormError } from "./scanner.ts";
import type { Graph } from "./schema.ts";

type Path = readonly PropertyKey[];

/** A node or relationship in the format of the capture API, with its position. */
export interface GraphItem {
  readonly body: Readonly<Record<string, unknown>>;
  readonly place: Place;
}

/** A node that a test can refer to. */
export interface NamedNode {
  readonly type: string;
  readonly id: string;
  readonly isIdentity: boolean;
}

export interface WorldGraph {
  readonly nodes: readonly GraphItem[];
  readonly relationships: readonly GraphItem[];
}

/** Converts `hours: 1200`, `{value, metadata}` and `{external_value}`. */
const propertiesOf = (map: Readonly<Record<string, unknown>> | undefined) =>
  map === undefined
    ? {}
    : {
        properties: Object.entries(map).map(([type, value]) =>
          isJsonObject(value) ? { type, ...value } : { type, value },
        ),
      };

const nodeOf = (text: string) => {
  const scanner = new Scanner(text);
  const type = scanner.name("the type of a node");
  const external_id = scanner.word("the external id of the node");
  const properties = propertiesOf(scanner.map());
  const isIdentity = scanner.takeWord("identity");
  scanner.end();
  return { type, external_id, ...properties, ...(isIdentity ? { is_identity: true } : {}) };
};

const relationshipOf = (text: string) => {
  const scanner = new Scanner(text);
  const end = () => ({
    type: scanner.name("the type of a node"),
    external_id: scanner.word("the external id of the node"),
  });
  const source = end();
  if (!scanner.take("-")) throw new ShortFormError(scanner.offset, "-RELATIONSHIP-> expected");
  const type = scanner.name("the type of the relationship");
  const properties = propertiesOf(scanner.map());
  if (!scanner.take("->")) throw new ShortFormError(scanner.offset, "-> expected");
  const target = end();
  scanner.end();
  return { source, type, target, ...properties };
};

/** Parses a short form; syntax errors are added with their position in the file. */
export const readShortForm = <T>(
  source: Source,
  path: Path,
  text: string,
  read: (text: string) => T,
  faults: DiagnosticList,
): T | undefined => {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof ShortFormError)) throw error;
    faults.add(source.placeInText(path, 1, error.offset + 1), error.message);
    return undefined;
  }
};

interface Kind {
  readonly list: "nodes" | "relationships";
  readonly read: (text: string) => Readonly<Record<string, unknown>>;
  readonly contract: typeof UpsertNode | typeof UpsertRelationship;
}

const kinds: readonly Kind[] = [
  { list: "nodes", read: nodeOf, contract: UpsertNode },
  { list: "relationships", read: relationshipOf, contract: UpsertRelationship },
];

const readItems = (
  source: Source,
  base: Path,
  graph: Graph,
  { list, read, contract }: Kind,
  faults: DiagnosticList,
): readonly GraphItem[] =>
  (graph[list] ?? []).flatMap((item, index): GraphItem[] => {
    const path = [...base, list, index];
    const body = typeof item === "string" ? readShortForm(source, path, item, read, faults) : item;
    if (body === undefined) return [];
    const place = source.placeOf(path);
    const judged = contract.safeParse(body, { reportInput: true });
    // Reported by field, because a short form has no position for it.
    if (!judged.success) for (const fault of faultsOf(judged.error)) faults.add(place, fault);
    return [{ body, place }];
  });

/** Reads a validated graph, inline or from a separate file. */
export const readGraph = (source: Source, path: Path, graph: Graph, faults: DiagnosticList): WorldGraph => {
  const [nodes = [], relationships = []] = kinds.map((kind) => readItems(source, path, graph, kind, faults));
  return { nodes, relationships };
};

export const nodeNames = (nodes: readonly GraphItem[]): readonly NamedNode[] =>
  nodes.map(({ body }) => ({
    type: String(body["type"]),
    id: String(body["external_id"]),
    isIdentity: body["is_identity"] === true,
  }));
