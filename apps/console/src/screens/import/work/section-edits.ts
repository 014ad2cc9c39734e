import {
  type FileMapping,
  keyTargetOf,
  type NodeMapping,
  propertyNameOf,
  type RelationshipMapping,
  relationshipNameOf,
  type TableProfile,
  templateOf,
  typeNameOf,
  type ValueKind,
} from "@ikg/imports/browser";

/** What nodes and relationships share: properties by name. */
export type Properties = NonNullable<NodeMapping["properties"]>;
type Property = Properties[string];

const replaced = <T>(items: readonly T[], at: number, item: T): T[] =>
  items.map((each, index) => (index === at ? item : each));

const without = <T>(items: readonly T[], at: number): T[] => items.filter((_, index) => index !== at);

export const withNode = (section: FileMapping, at: number, node: NodeMapping): FileMapping => ({
  ...section,
  nodes: replaced(section.nodes ?? [], at, node),
});

export const withoutNode = (section: FileMapping, at: number): FileMapping => ({
  ...section,
  nodes: without(section.nodes ?? [], at),
});

export const withRelationship = (
  section: FileMapping,
  at: number,
  relationship: RelationshipMapping,
): FileMapping => ({ ...section, relationships: replaced(section.relationships ?? [], at, relationship) });

export const withoutRelationship = (section: FileMapping, at: number): FileMapping => ({
  ...section,
  relationships: without(section.relationships ?? [], at),
});

/** What a column is the key of: `Club` of club_id. */
const typeOfKey = (column: string): string => typeNameOf(keyTargetOf(column) ?? column);

/** Adds a node type whose id is a column; without one, an empty form. */
export const addNode = (section: FileMapping, column: string | undefined): FileMapping => ({
  ...section,
  nodes: [
    ...(section.nodes ?? []),
    column === undefined
      ? { type: "", external_id: "" }
      : { type: typeOfKey(column), external_id: templateOf(column), when: column },
  ],
});

/** Adds a relationship from the first node type to what a column names; without one, an empty end. */
export const addRelationship = (section: FileMapping, column: string | undefined): FileMapping => {
  const [first] = section.nodes ?? [];
  const source = { type: first?.type ?? "", external_id: first?.external_id ?? "" };
  const relationship =
    column === undefined
      ? { source, type: "", target: { type: "", external_id: "" } }
      : {
          source,
          type: relationshipNameOf(keyTargetOf(column) ?? column),
          target: { type: typeOfKey(column), external_id: templateOf(column) },
        };
  return { ...section, relationships: [...(section.relationships ?? []), relationship] };
};

/** Adds the proposed relationship of a key column; a property of the same column stays. */
export const addKey = (
  section: FileMapping,
  { column, role, type }: { readonly column: string; readonly role: string; readonly type: string },
): FileMapping => {
  const [first] = section.nodes ?? [];
  const source = { type: first?.type ?? "", external_id: first?.external_id ?? "" };
  const target = { type, external_id: templateOf(column) };
  return {
    ...section,
    relationships: [...(section.relationships ?? []), { source, type: relationshipNameOf(role), target }],
  };
};

/** The column of a property; undefined for one that comes from elsewhere. */
export const columnOf = (property: Property): string | undefined =>
  typeof property === "string" ? property : property.column;

export const kindOf = (property: Property): ValueKind | undefined =>
  typeof property === "string" ? undefined : property.as;

/** A property of another column or kind; whatever else is said of it stays. */
export const withColumn = (property: Property, column: string): Property =>
  typeof property === "string" ? column : { ...property, column };

/** A property of another kind; what was said of entries of a list goes. */
export const withKind = (property: Property, kind: ValueKind | undefined): Property => {
  const whole = typeof property === "string" ? { column: property } : property;
  const rest = Object.fromEntries(
    Object.entries(whole).filter(([name]) => !["as", "of", "separator"].includes(name)),
  ) as Exclude<Property, string>; // members of a property
  if (kind !== undefined) return { ...rest, as: kind };
  return rest.column !== undefined && Object.keys(rest).length === 1 ? rest.column : rest;
};

/** Adds the property of a column, under a name that is free. */
export const addProperty = (
  properties: Properties | undefined,
  column: string,
  profile: TableProfile | undefined,
): Properties => {
  const existing = properties ?? {};
  let name = propertyNameOf(column);
  while (Object.hasOwn(existing, name)) name += "_";
  const kind = profile?.columns.find((each) => each.name === column)?.as;
  return { ...existing, [name]: kind === undefined ? column : { column, as: kind } };
};

/** The properties, in their order, with one of them changed; undefined removes it. */
export const withProperty = (
  properties: Properties,
  name: string,
  property: Property | undefined,
): Properties =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([each, value]) => {
      if (each !== name) return [[each, value]];
      return property === undefined ? [] : [[each, property]];
    }),
  );

/** A property under another name, in its place; unchanged where the name is empty or that of another property. */
export const renamedProperty = (properties: Properties, from: string, to: string): Properties =>
  to === "" || Object.hasOwn(properties, to)
    ? properties
    : Object.fromEntries(
        Object.entries(properties).map(([each, value]) => [each === from ? to : each, value]),
      );
