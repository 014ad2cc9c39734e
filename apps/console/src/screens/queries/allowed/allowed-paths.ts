import type { DataSchema } from "@ikg/client";
import { typesByName } from "../../../editors/code/completions.ts";
import { type PathList, type QueryForm, upsertsOf } from "../draft/query-form.ts";
import type { Allowed } from "./allowed.ts";

/** Paths that a query may name, by list. */
export type AllowedPaths = Readonly<Record<PathList, readonly string[]>>;

type Properties = DataSchema["graph"]["nodes"][string]["metadata"]["properties"];

/** What the graph holds of the names that a pattern gives. */
interface Known {
  readonly nodeProperties: (alias: string) => Properties;
  readonly relationshipProperties: (alias: string) => readonly string[];
}

const own = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

const knownOf = ({ cypher, subjectType }: Allowed, schema: DataSchema | undefined): Known => {
  const types = typesByName(cypher, new Map([["subject", subjectType]]));
  const relations = new Map(
    [...cypher.matchAll(/\[\s*([A-Za-z_]\w*)\s*:\s*([A-Za-z_]\w*)/g)].map(([, name = "", type = ""]) => [
      name,
      type,
    ]),
  );
  return {
    nodeProperties: (alias) =>
      own(schema?.graph.nodes ?? {}, types.get(alias) ?? "")?.metadata.properties ?? {},
    relationshipProperties: (alias) =>
      (schema?.graph.edges ?? [])
        .filter(({ relation }) => relation === relations.get(alias))
        .flatMap(({ metadata }) => Object.keys(metadata.properties)),
  };
};

/** Paths that an entry of `allowed_reads.nodes` covers, as docs/policy-language.md has it; properties are those of the graph. */
const readableNodes = (entry: string, known: Known): readonly string[] => {
  const [alias = "", ...rest] = entry.split(".");
  const properties = known.nodeProperties(alias);
  const each = Object.keys(properties).map((name) => `${alias}.property.${name}`);
  switch (rest.join(".")) {
    case "":
      return [`${alias}.external_id`, alias];
    case "*":
      return [`${alias}.external_id`, ...each, alias, entry];
    case "property.*":
      return [...each, entry];
    default:
  }
  const [, name = "", star] = rest;
  if (rest[0] !== "property" || star !== "*") return [entry];
  const metadata = Object.keys(own(properties, name)?.metadata ?? {});
  const base = `${alias}.property.${name}`;
  return [base, ...metadata.map((key) => `${base}.metadata.${key}`), entry];
};

const readableRelationships = (entry: string, known: Known): readonly string[] => {
  const [alias = "", rest] = entry.split(".");
  if (rest !== undefined && rest !== "*") return [entry];
  return [...known.relationshipProperties(alias).map((name) => `${alias}.${name}`), alias];
};

/** A delete never reaches upward: `a.*` is no permission for `a`. */
const deletableNodes = (entry: string, known: Known): readonly string[] => {
  const [alias = "", ...rest] = entry.split(".");
  const each = Object.keys(known.nodeProperties(alias)).map((name) => `${alias}.property.${name}`);
  if (rest.join(".") === "*") return [...each, entry];
  return rest.join(".") === "property.*" ? each : [entry];
};

const deletableRelationships = (entry: string, known: Known): readonly string[] => {
  const [alias = "", rest] = entry.split(".");
  return rest === "*"
    ? [...known.relationshipProperties(alias).map((name) => `${alias}.${name}`), entry]
    : [entry];
};

const nameOf = (entry: Readonly<Record<string, unknown>>, member: string): readonly string[] => {
  const name = entry[member];
  return typeof name === "string" && name !== "" ? [name] : [];
};

/** What a query may show because it writes it. */
const writtenPaths = (form: Pick<QueryForm, "upsert_nodes" | "upsert_relationships">) => ({
  nodes: upsertsOf(form.upsert_nodes).flatMap((entry) => {
    const [name] = nameOf(entry, "name");
    if (name === undefined) return [];
    const properties = Array.isArray(entry["properties"]) ? entry["properties"] : [];
    const types = properties.flatMap((each: unknown) =>
      typeof each === "object" && each !== null ? nameOf({ ...each }, "type") : [],
    );
    return [`${name}.external_id`, ...types.map((type) => `${name}.property.${type}`)];
  }),
  relationships: upsertsOf(form.upsert_relationships).flatMap((entry) => nameOf(entry, "name")),
});

const unique = (paths: readonly string[]): readonly string[] => [...new Set(paths)];

/** The paths that a policy lets its queries name. What the graph has decides which properties a `*` is shown as. */
export const allowedPaths = (
  allowed: Allowed,
  schema: DataSchema | undefined,
  form: Pick<QueryForm, "upsert_nodes" | "upsert_relationships">,
): AllowedPaths => {
  const known = knownOf(allowed, schema);
  const written = writtenPaths(form);
  const each = (
    entries: readonly string[],
    covered: (entry: string, known: Known) => readonly string[],
  ): readonly string[] => entries.flatMap((entry) => covered(entry, known));
  return {
    nodes: unique([...each(allowed.nodes, readableNodes), ...written.nodes]),
    relationships: unique([...each(allowed.relationships, readableRelationships), ...written.relationships]),
    aggregate_values: unique(allowed.aggregateValues),
    delete_nodes: unique(each(allowed.deleteNodes, deletableNodes)),
    delete_relationships: unique(each(allowed.deleteRelationships, deletableRelationships)),
  };
};
