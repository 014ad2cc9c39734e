import { typesByName } from "../../../editors/code/completions.ts";
import { printJson } from "../../../text/json.ts";
import { type QueryForm, type UpsertList, upsertsOf } from "../draft/query-form.ts";
import type { Allowed } from "./allowed.ts";

/** An entry that a policy lets a query write, to begin with. */
export interface AllowedUpsert {
  readonly label: string;
  readonly entry: object;
}

export type OfferedUpserts = Readonly<Record<UpsertList, readonly AllowedUpsert[]>>;

/** A name that the query does not have yet. */
const freeName = (wanted: string, usedNames: ReadonlySet<string>): string => {
  if (!usedNames.has(wanted)) return wanted;
  let number = 2;
  while (usedNames.has(`${wanted}_${number}`)) number++;
  return `${wanted}_${number}`;
};

const lower = (type: string): string => type.toLowerCase().replaceAll(/\W/g, "_");

/** Names with their types: those of the pattern, and the nodes that the query makes itself. */
const namesByType = (
  { cypher, subjectType }: Allowed,
  form: Pick<QueryForm, UpsertList>,
): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const [name, type] of typesByName(cypher, new Map([["subject", subjectType]])))
    if (!names.has(type)) names.set(type, name);
  for (const { name, type } of upsertsOf(form.upsert_nodes))
    if (typeof name === "string" && typeof type === "string") names.set(type, name);
  return names;
};

/** What a policy lets a query write; values are parameters, to be replaced where they are something else. */
export const allowedUpserts = (allowed: Allowed, form: Pick<QueryForm, UpsertList>): OfferedUpserts => {
  const usedNames = new Set(
    [...upsertsOf(form.upsert_nodes), ...upsertsOf(form.upsert_relationships)].flatMap(({ name }) =>
      typeof name === "string" ? [name] : [],
    ),
  );
  for (const [name] of typesByName(allowed.cypher, new Map())) usedNames.add(name);
  const names = namesByType(allowed, form);
  const property = { type: "name", value: "$value" };
  return {
    upsert_nodes: [
      ...allowed.nodeTypes.map((type) => {
        const name = freeName(lower(type), usedNames);
        return { label: `new ${type}`, entry: { name, type, external_id: `$${name}_id` } };
      }),
      ...allowed.existingNodes.map((name) => ({
        label: `properties of ${name}`,
        entry: { name, properties: [property] },
      })),
    ],
    upsert_relationships: [
      ...allowed.relationshipTypes.map(({ type, source, target }) => ({
        label: `(${source})-[${type}]->(${target})`,
        entry: {
          name: freeName(lower(type), usedNames),
          type,
          source: names.get(source) ?? lower(source),
          target: names.get(target) ?? lower(target),
        },
      })),
      ...allowed.existingRelationships.map((name) => ({
        label: `properties of ${name}`,
        entry: { name, properties: [property] },
      })),
    ],
  };
};

/** The list with one entry more; undefined where the text holds no list. */
export const withEntry = (json: string, entry: object): string | undefined => {
  if (json.trim() === "") return printJson([entry]);
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? printJson([...list, entry]) : undefined;
  } catch {
    return undefined;
  }
};
