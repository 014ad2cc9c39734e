import { type NodeField, nodeField } from "@ikg/physical";

/** A business property of a node that has a value, or a reference to where its value is. */
export interface ScorableProperty {
  readonly name: string;
  /** undefined when a resolver knows the value: it is never called here. */
  value: unknown;
  /** Metadata of the value; undefined where there is none. */
  verifiedTime: unknown;
  source: unknown;
  updateTime: unknown;
}

/** A node as the formulas see it. */
export interface ScorableNode {
  readonly createTime: unknown;
  readonly updateTime: unknown;
  readonly properties: readonly ScorableProperty[];
}

/** Names repeat with every node of a type, so each is read once; a type with ever new names is no reason to grow. */
const maxKnown = 10_000;
const known = new Map<string, NodeField | undefined>();

const fieldOf = (key: string): NodeField | undefined => {
  if (known.has(key)) return known.get(key);
  if (known.size >= maxKnown) known.clear();
  const field = nodeField(key);
  known.set(key, field);
  return field;
};

interface Collected extends ScorableProperty {
  present: boolean;
}

/**
 * Reads the properties of a stored node. Metadata of a property that no longer has a value is ignored.
 */
export const scorableNode = (stored: Readonly<Record<string, unknown>>): ScorableNode => {
  const all = new Map<string, Collected>();
  const of = (name: string): Collected => {
    let property = all.get(name);
    if (property === undefined) {
      property = {
        name,
        value: undefined,
        verifiedTime: undefined,
        source: undefined,
        updateTime: undefined,
        present: false,
      };
      all.set(name, property);
    }
    return property;
  };
  for (const key of Object.keys(stored)) {
    const field = fieldOf(key);
    const value = stored[key];
    if (field === undefined || field.kind === "system" || value === null || value === undefined) continue;
    const property = of(field.property);
    if (field.kind === "value") {
      property.value = value;
      property.present = true;
    } else if (field.kind === "external_value") property.present = true;
    else if (field.kind === "property_time") property.updateTime = value;
    else if (field.key === "verified_time") property.verifiedTime = value;
    else if (field.key === "source") property.source = value;
  }
  return {
    createTime: stored["create_time"],
    updateTime: stored["update_time"],
    properties: [...all.values()].filter(({ present, name }) => present && !name.startsWith("_")),
  };
};
