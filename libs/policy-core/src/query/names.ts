import { relationship } from "../bindings/kind.ts";
import type { Binding } from "../bindings/kind.ts";
import type { Faults } from "../json.ts";
import { boundAsOne, type Bindings } from "../paths/path.ts";
import { namesIn } from "../policy/condition.ts";
import type { CiqPolicy } from "../policy/ciq.ts";
import type { RawNodeUpsert, RawRelationshipUpsert, NodeUpsert, RelationshipUpsert } from "./read-upserts.ts";

/** Words in `labels` that mark an identity node instead of naming a label. */
const identityMarkers: ReadonlySet<string> = new Set(["Identity", "DigitalTwin"]);

/** Tells which entries of a query's upserts write what the pattern bound and which make something new. */
export interface UpsertNames {
  node(raw: RawNodeUpsert): NodeUpsert | undefined;
  relationship(raw: RawRelationshipUpsert): RelationshipUpsert | undefined;
  /** Aliases of the pattern, and the names met so far. */
  readonly bindings: Bindings;
}

/**
 * Resolves the names of upsert entries. Entries of nodes come first, for
 * relationships may begin and end at them.
 */
export const upsertNames = (policy: CiqPolicy, faults: Faults): UpsertNames => {
  const pattern = policy.condition.analysis.bindings;
  const inText = namesIn(policy.condition.query);
  const bindings = new Map<string, Binding>(pattern);
  const used = new Set<string>();

  /** True when the entry writes an alias of the pattern; undefined with a fault. */
  const isExisting = (
    raw: RawNodeUpsert | RawRelationshipUpsert,
    kind: "node" | "relationship",
  ): boolean | undefined => {
    const at = `${raw.path}.name`;
    if (used.has(raw.name)) {
      faults.add(at, `"${raw.name}" is named twice`);
      return undefined;
    }
    used.add(raw.name);
    if (pattern.has(raw.name)) return boundAsOne(raw.name, kind, at, pattern, faults) && true;
    if (!inText.has(raw.name)) return false;
    faults.add(at, `"${raw.name}" is a name of the pattern that is not bound after it`);
    return undefined;
  };

  const absent = (path: string, fields: Readonly<Record<string, unknown>>): void => {
    for (const [key, value] of Object.entries(fields)) {
      if (value !== undefined)
        faults.add(`${path}.${key}`, "must be absent: the name is an alias of the pattern");
    }
  };

  const requireProperties = (raw: RawNodeUpsert | RawRelationshipUpsert): void => {
    if (raw.properties.length === 0) faults.add(`${raw.path}.properties`, "1 or more properties");
  };

  const end = (name: string | undefined, at: string): boolean => {
    if (name === undefined) {
      faults.add(at, "required: the name is no alias of the pattern");
      return false;
    }
    const kind = bindings.get(name)?.kind.kind;
    if (kind === "node") return true;
    faults.add(at, `"${name}" is neither a node of the pattern nor an entry of upsert_nodes`);
    return false;
  };

  const discriminatingOf = (raw: RawRelationshipUpsert, existing: boolean): string | undefined => {
    const index = raw.properties.findIndex(({ name }) => name === "discriminating_property");
    const given = raw.properties[index]?.given;
    if (given === undefined) return undefined;
    const at = `${raw.path}.properties[${index}].value`;
    const name = given.kind === "literal" ? given.value : undefined;
    if (existing) faults.add(at, "what tells a relationship from parallel ones cannot be changed");
    else if (typeof name !== "string" || !raw.properties.some((property) => property.name === name)) {
      faults.add(at, "the name of another property of this entry expected");
    } else return name;
    return undefined;
  };

  return {
    bindings,
    node: (raw) => {
      const { path, name, type, externalId, labels, properties } = raw;
      const existing = isExisting(raw, "node");
      if (existing === undefined) return undefined;
      if (existing) {
        absent(path, { type, external_id: externalId, labels });
        requireProperties(raw);
        return { kind: "existing", name, properties };
      }
      if (type === undefined) faults.add(`${path}.type`, "required: the name is no alias of the pattern");
      if (externalId === undefined)
        faults.add(`${path}.external_id`, "required: the name is no alias of the pattern");
      bindings.set(name, { kind: { kind: "node", label: type }, optional: true, pattern: true });
      if (type === undefined || externalId === undefined) return undefined;
      const extra = [...new Set(labels)].filter((label) => !identityMarkers.has(label));
      const isIdentity = labels?.some((label) => identityMarkers.has(label)) ?? false;
      return { kind: "new", name, type, externalId, labels: extra, isIdentity, properties };
    },
    relationship: (raw) => {
      const { path, name, type, source, target, properties } = raw;
      const existing = isExisting(raw, "relationship");
      if (existing === undefined) return undefined;
      const discriminating = discriminatingOf(raw, existing);
      if (existing) {
        absent(path, { type, source, target });
        requireProperties(raw);
        return { kind: "existing", name, properties };
      }
      if (type === undefined) faults.add(`${path}.type`, "required: the name is no alias of the pattern");
      const ends = [end(source, `${path}.source`), end(target, `${path}.target`)];
      bindings.set(name, { kind: relationship, optional: true, pattern: true });
      if (type === undefined || source === undefined || target === undefined || ends.includes(false))
        return undefined;
      return { kind: "new", name, type, source, target, discriminating, properties };
    },
  };
};
