import { discriminatingProperty } from "@ikg/physical";
import { boundAsOne, type Bindings } from "../bindings/bound-path.ts";
import { type Binding, nodeKind, relationship } from "../bindings/kind.ts";
import type { Faults } from "../json.ts";
import { declaredNames } from "../cypher/names.ts";
import type { CiqPolicy } from "../policy/ciq.ts";
import type {
  NodeUpsert,
  PropertyWrite,
  RawNodeUpsert,
  RawRelationshipUpsert,
  RelationshipUpsert,
} from "./read-upserts.ts";

/** Words in `labels` that mark an identity node instead of naming a label. */
const identityMarkers: ReadonlySet<string> = new Set(["Identity", "DigitalTwin"]);

type RawUpsert = RawNodeUpsert | RawRelationshipUpsert;

const notAlias = "required: the name is not an alias of the pattern";

/**
 * Resolves the names of upsert entries: those that write what the pattern binds, and those that create something.
 * Nodes are resolved first, since relationships may begin and end at them.
 */
export class UpsertNames {
  readonly #pattern: Bindings;
  readonly #declared: ReadonlySet<string>;
  readonly #faults: Faults;
  readonly #used = new Set<string>();
  readonly #bindings: Map<string, Binding>;

  constructor(policy: CiqPolicy, faults: Faults) {
    this.#pattern = policy.condition.analysis.bindings;
    this.#declared = declaredNames(policy.condition.query);
    this.#faults = faults;
    this.#bindings = new Map(this.#pattern);
  }

  /** Aliases of the pattern, and the names of the entries resolved so far. */
  get bindings(): Bindings {
    return this.#bindings;
  }

  /** @returns undefined with a fault */
  node(raw: RawNodeUpsert): NodeUpsert | undefined {
    const { path, name, type, externalId, labels, properties } = raw;
    const existing = this.#isExisting(raw, "node");
    if (existing === undefined) return undefined;
    if (existing) return this.#existing(raw, { type, external_id: externalId, labels });
    if (type === undefined) this.#faults.add(`${path}.type`, notAlias);
    if (externalId === undefined) this.#faults.add(`${path}.external_id`, notAlias);
    this.#bindings.set(name, { kind: nodeKind(type), isOptional: true, isFromPattern: true });
    if (type === undefined || externalId === undefined) return undefined;
    const extra = [...new Set(labels)].filter((label) => !identityMarkers.has(label));
    const isIdentity = labels?.some((label) => identityMarkers.has(label)) ?? false;
    return { kind: "new", name, type, externalId, labels: extra, isIdentity, properties };
  }

  /** @returns undefined with a fault */
  relationship(raw: RawRelationshipUpsert): RelationshipUpsert | undefined {
    const { path, name, type, source, target, properties } = raw;
    const existing = this.#isExisting(raw, "relationship");
    if (existing === undefined) return undefined;
    const discriminating = this.#discriminatingOf(raw, existing);
    if (existing) return this.#existing(raw, { type, source, target });
    if (type === undefined) this.#faults.add(`${path}.type`, notAlias);
    const ends = [this.#isNode(source, `${path}.source`), this.#isNode(target, `${path}.target`)];
    this.#bindings.set(name, { kind: relationship, isOptional: true, isFromPattern: true });
    if (type === undefined || source === undefined || target === undefined || ends.includes(false))
      return undefined;
    return { kind: "new", name, type, source, target, discriminating, properties };
  }

  /** True when the entry writes an alias of the pattern; undefined with a fault. */
  #isExisting(raw: RawUpsert, kind: "node" | "relationship"): boolean | undefined {
    const at = `${raw.path}.name`;
    if (this.#used.has(raw.name)) {
      this.#faults.add(at, `"${raw.name}" is named twice`);
      return undefined;
    }
    this.#used.add(raw.name);
    if (this.#pattern.has(raw.name))
      return boundAsOne(raw.name, kind, at, this.#pattern, this.#faults) && true;
    if (!this.#declared.has(raw.name)) return false;
    this.#faults.add(at, `"${raw.name}" is a name of the pattern that is not bound after it`);
    return undefined;
  }

  /** An entry that writes an alias of the pattern: `absent` are the fields that only a new element has. */
  #existing(
    { path, name, properties }: RawUpsert,
    absent: Readonly<Record<string, unknown>>,
  ): { readonly kind: "existing"; readonly name: string; readonly properties: readonly PropertyWrite[] } {
    for (const [key, value] of Object.entries(absent)) {
      if (value !== undefined)
        this.#faults.add(`${path}.${key}`, "must be absent: the name is an alias of the pattern");
    }
    if (properties.length === 0) this.#faults.add(`${path}.properties`, "1 or more properties");
    return { kind: "existing", name, properties };
  }

  /** Whether a new relationship may begin or end at the name. */
  #isNode(name: string | undefined, at: string): boolean {
    if (name === undefined) {
      this.#faults.add(at, notAlias);
      return false;
    }
    if (this.#bindings.get(name)?.kind.kind === "node") return true;
    this.#faults.add(at, `"${name}" is neither a node of the pattern nor an entry of upsert_nodes`);
    return false;
  }

  #discriminatingOf(raw: RawRelationshipUpsert, existing: boolean): string | undefined {
    const index = raw.properties.findIndex(({ name }) => name === discriminatingProperty);
    const source = raw.properties[index]?.source;
    if (source === undefined) return undefined;
    const at = `${raw.path}.properties[${index}].value`;
    const name = source.kind === "literal" ? source.value : undefined;
    if (existing)
      this.#faults.add(at, "the property that distinguishes parallel relationships cannot be changed");
    else if (typeof name !== "string" || !raw.properties.some((property) => property.name === name)) {
      this.#faults.add(at, "the name of another property of this entry expected");
    } else return name;
    return undefined;
  }
}
