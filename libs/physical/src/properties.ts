/** Fields of a node that the platform stores in addition to the user's properties. */
export const systemFields = [
  "external_id",
  "type",
  "id",
  "create_time",
  "update_time",
  "is_identity",
] as const;

export type SystemField = (typeof systemFields)[number];

/** Physical key that holds `<pk>/<type>/<external_id>`. */
export const keyField = "_key";

/** Physical key of a proxy node that names the location of the node it stands for. */
export const locationField = "_location";

const reserved = new Set<string>(systemFields);
const escapePrefix = "_p.";

/** Physical key of a property's value. Names that would hide a system field get a prefix that no name can have. */
export const propertyField = (name: string): string =>
  reserved.has(name) || name.startsWith("_") ? `${escapePrefix}${name}` : name;

/** Physical key of one metadata value. */
export const metadataField = (name: string, key: string): string => `${propertyField(name)}.metadata.${key}`;

/** Physical key of the reference to an external data resolver; a property with it has no value of its own. */
export const externalValueField = (name: string): string => `${propertyField(name)}.external_value`;

/** Physical key of the time of a property's last write. */
export const propertyTimeField = (name: string): string => `${propertyField(name)}.update_time`;

/** What a physical key of a node holds, seen from the caller. */
export type NodeField =
  | { readonly kind: "system"; readonly field: SystemField }
  | { readonly kind: "value"; readonly property: string }
  | { readonly kind: "metadata"; readonly property: string; readonly key: string }
  | { readonly kind: "external_value"; readonly property: string }
  | { readonly kind: "property_time"; readonly property: string };

/** Reads a physical key back; undefined for keys of the platform. */
export const nodeField = (field: string): NodeField | undefined => {
  if (reserved.has(field)) return { kind: "system", field: field as SystemField };
  const escaped = field.startsWith(escapePrefix);
  if (field.startsWith("_") && !escaped) return undefined;
  const rest = escaped ? field.slice(escapePrefix.length) : field;
  const dot = rest.indexOf(".");
  if (dot < 0) return { kind: "value", property: rest };
  const property = rest.slice(0, dot);
  const tail = rest.slice(dot + 1);
  if (tail === "external_value") return { kind: "external_value", property };
  if (tail === "update_time") return { kind: "property_time", property };
  return tail.startsWith("metadata.")
    ? { kind: "metadata", property, key: tail.slice("metadata.".length) }
    : undefined;
};

/** Fields of a relationship that the platform keeps. */
export const relationshipFields = {
  createTime: "_create_time",
  updateTime: "_update_time",
  /** Value that distinguishes parallel relationships; empty without a discriminating property. */
  discriminator: "_discriminator",
} as const;

/** Physical key of a relationship property: verbatim, except names that could hide a field of the platform. */
export const relationshipField = (name: string): string =>
  name.startsWith("_") ? `${escapePrefix}${name}` : name;

/** The caller's name of a relationship's physical key; undefined for fields of the platform. */
export const relationshipPropertyName = (field: string): string | undefined =>
  field.startsWith(escapePrefix)
    ? field.slice(escapePrefix.length)
    : field.startsWith("_")
      ? undefined
      : field;

/** The property of a relationship that names the property whose value distinguishes parallel relationships. */
export const discriminatingProperty = "discriminating_property";

/**
 * What distinguishes parallel relationships of one (source, type, target), as stored and as part of the gid: empty
 * without a discriminating property, else the JSON text of its value, so that `5` and `"5"` stay apart.
 */
export const relationshipDiscriminator = (value: unknown): string =>
  value === undefined ? "" : JSON.stringify(value);
