import {
  namedMetadata,
  type NodeSummary,
  type NodeTrustScore,
  type ReadProperty,
  omitUndefined,
  stringOrUndefined,
} from "@ikg/contracts";
import {
  extraLabels,
  locationField,
  nodeField,
  type ProjectKey,
  relationshipPropertyName,
} from "@ikg/physical";
import { type Fields, fieldsInOrder, fieldsOf, jsonOf, type ShownProject } from "@ikg/query-rows";

/** A node without its properties. */
export const summaryOf = (labels: unknown, fields: Fields, pk: ProjectKey): NodeSummary => {
  const type = String(fields["type"]);
  return omitUndefined({
    type,
    external_id: String(fields["external_id"]),
    id: String(fields["id"]),
    is_identity: fields["is_identity"] === true,
    labels: [...extraLabels(Array.isArray(labels) ? labels.map(String) : [], type, pk)],
    location: stringOrUndefined(fields[locationField]),
    create_time: stringOrUndefined(fields["create_time"]),
    update_time: stringOrUndefined(fields["update_time"]),
  });
};

const named: ReadonlySet<string> = new Set(namedMetadata);

/** What is known of one property while its fields are collected. */
interface Draft {
  readonly type: string;
  value?: unknown;
  external_value?: string;
  readonly metadata: Map<string, unknown>;
  readonly custom: Map<string, unknown>;
  update_time?: string;
}

// `fromEntries` defines members, so that a key called `__proto__` is one like the others.
const objectOf = (entries: ReadonlyMap<string, unknown>): Record<string, unknown> | undefined =>
  entries.size === 0 ? undefined : Object.fromEntries(entries);

const propertyOf = ({ metadata, custom, ...rest }: Draft): ReadProperty => {
  const customMetadata = objectOf(custom);
  if (customMetadata !== undefined) metadata.set("custom_metadata", customMetadata);
  return omitUndefined({ ...rest, metadata: objectOf(metadata) });
};

const addField = (
  draft: Draft,
  field: Exclude<ReturnType<typeof nodeField>, undefined>,
  value: unknown,
): void => {
  switch (field.kind) {
    case "value":
      draft.value = value;
      break;
    case "external_value":
      draft.external_value = String(value);
      break;
    case "property_time":
      draft.update_time = String(value);
      break;
    case "metadata":
      (named.has(field.key) ? draft.metadata : draft.custom).set(field.key, value);
      break;
    case "system":
  }
};

/** Properties of a node with their metadata, in the order of their names. References to resolvers are not followed. */
export const nodeProperties = (fields: Fields, project: ShownProject): ReadProperty[] => {
  const drafts = new Map<string, Draft>();
  for (const [name, stored] of fieldsInOrder(fields)) {
    const field = nodeField(name);
    if (field === undefined || field.kind === "system") continue;
    const { property: type } = field;
    const draft = drafts.get(type) ?? { type, metadata: new Map(), custom: new Map() };
    drafts.set(type, draft);
    addField(draft, field, jsonOf(stored, project));
  }
  return [...drafts.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1)).map(propertyOf);
};

/** Properties of a relationship, in the order of their names. */
export const propertiesOfRelationship = (
  fields: Fields,
  project: ShownProject,
): { type: string; value: unknown }[] =>
  fieldsInOrder(fields).flatMap(([name, stored]) => {
    const type = relationshipPropertyName(name);
    return type === undefined ? [] : [{ type, value: jsonOf(stored, project) }];
  });

const scoreOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** @param fields of the node that holds the score; undefined when there is none. */
export const trustScoreOf = (fields: unknown): NodeTrustScore | undefined => {
  if (typeof fields !== "object" || fields === null) return undefined;
  const stored = fieldsOf(fields);
  return {
    _final_score: scoreOf(stored["_final_score"]),
    _validity: scoreOf(stored["_validity"]),
    _verification: scoreOf(stored["_verification"]),
    _freshness: scoreOf(stored["_freshness"]),
    _origin: scoreOf(stored["_origin"]),
    _completeness: scoreOf(stored["_completeness"]),
    profile_id: String(stored["profile_id"]),
    update_time: String(stored["update_time"]),
  };
};
