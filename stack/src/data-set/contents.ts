/** What the projects of a data set hold, as the product shows it: what an upgrade must leave as it is. */
import type { DataSet, DataSetProject } from "./data-set.ts";
import { rowsOf } from "./populate.ts";

type Json = Readonly<Record<string, unknown>>;

/** What is shown, by what it is: `<project> <kind> <name>`. */
export type Contents = ReadonlyMap<string, unknown>;

/** The type of the nodes that the load writes while a suite is upgraded. */
export const loadType = "Mark";

const get = async (url: string, token: string): Promise<string> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`GET ${url}: ${response.status} ${text}`);
  return text;
};

/** Properties have no order. */
const inOrder = (element: Json): Json => {
  const properties = (element["properties"] ?? []) as readonly { readonly type: string }[];
  return { ...element, properties: properties.toSorted((a, b) => a.type.localeCompare(b.type)) };
};

/** Nodes and relationships of an export: lines that an import takes, and one that says that it is complete. */
const graphOf = (text: string): readonly (readonly [string, unknown])[] => {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { node?: Json; relationship?: Json; complete?: unknown });
  if (lines.at(-1)?.complete === undefined) throw new Error(`an export was cut off: ${text.slice(-500)}`);
  return lines.flatMap(({ node, relationship }): (readonly [string, unknown])[] => {
    if (node !== undefined)
      return node["type"] === loadType
        ? []
        : [[`node ${String(node["type"])}/${String(node["external_id"])}`, inOrder(node)]];
    if (relationship === undefined) return [];
    const { source, type, target } = relationship;
    return [[`relationship ${JSON.stringify([source, type, target])}`, inOrder(relationship)]];
  });
};

interface Named {
  readonly collection: string;
  readonly name: string;
}

/** The configuration that is exported, and what an export leaves out: role bindings, history, and headers that are sealed. */
const configurationOf = async (
  url: string,
  { organizationId, token }: DataSet,
  id: string,
): Promise<readonly (readonly [string, unknown])[]> => {
  const read = async (path: string): Promise<Json> =>
    JSON.parse(await get(`${url}/configs/v1/${path}`, token)) as Json;
  const { changes, records, versions } = await read(`export?project_id=${id}`);
  const { data: resolvers } = await read(`external-data-resolvers?project_id=${id}`);
  const { data: bindings } = await read(`role-bindings?organization_id=${organizationId}`);
  const { items: history } = await read(`changes?project_id=${id}`);
  // Envelopes of the product's lists, or `get` would have thrown.
  const named = [...(changes as (Named & Json)[]), ...(records as (Named & Json)[])];
  const byId = (kind: string, all: unknown) =>
    (all as readonly { readonly id: string }[]).map((each) => [`${kind} ${each.id}`, each] as const);
  return [
    ...named.map((each) => [`${each.collection} ${each.name}`, each] as const),
    ...(versions as (Named & { version: number })[]).map(
      ({ collection, name, version }) => [`version of ${collection} ${name}`, version] as const,
    ),
    ...byId("resolver", resolvers),
    ...byId(
      "role binding",
      (bindings as readonly Json[]).filter(({ project_id }) => project_id === id),
    ),
    ...byId("change", history),
  ];
};

const contentsOf = async (
  url: string,
  set: DataSet,
  project: DataSetProject,
): Promise<readonly (readonly [string, unknown])[]> => {
  const rows = (await rowsOf(url, project)).map((row) => JSON.stringify(row)).toSorted();
  const graph = graphOf(await get(`${url}/capture/v1/export?project_id=${project.id}`, set.token));
  return [...graph, ...(await configurationOf(url, set, project.id)), ["rows", rows]];
};

/** Reads everything that the projects hold. Services before 0.2.0 do not show all of it to administrators. */
export const readContents = async (url: string, set: DataSet): Promise<Contents> => {
  const contents = new Map<string, unknown>();
  for (const project of set.projects)
    for (const [name, value] of await contentsOf(url, set, project))
      contents.set(`${project.id} ${name}`, value);
  return contents;
};

/** Whether a value has all that a former one had: a release may show more. */
const holds = (value: unknown, former: unknown): boolean => {
  if (typeof former !== "object" || former === null) return Object.is(value, former);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(former) && (!Array.isArray(value) || value.length !== former.length)) return false;
  return Object.entries(former).every(([name, each]) => holds((value as Json)[name], each));
};

/** What is gone, or is not as it was, in words. */
export const differences = (former: Contents, contents: Contents): readonly string[] =>
  [...former].flatMap(([name, value]) =>
    holds(contents.get(name), value)
      ? []
      : [`${name}: ${JSON.stringify(value)} before, ${JSON.stringify(contents.get(name))} after`],
  );
