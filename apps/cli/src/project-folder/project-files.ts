import type { ChangeableCollection } from "@ikg/contracts";

export type Fields = Readonly<Record<string, unknown>>;

/** Records by their names. */
export type Named = ReadonlyMap<string, Fields>;

/** Policies and queries: each has a file of its own in a folder of this name, and all of them change together. */
export const folders = {
  "authorization-policies": { folder: "policies", text: "policy" },
  "knowledge-queries": { folder: "queries", text: "query" },
} as const satisfies Readonly<Record<ChangeableCollection, { folder: string; text: string }>>;

/** The file of every other record. */
export const projectFile = "project.yaml";

/**
 * Collections of `project.yaml`, each behind those that its records name. Credentials are secrets as a whole, and service
 * accounts belong to the organization.
 */
export const otherCollections = [
  "projects",
  "applications",
  "application-agents",
  "trust-score-profiles",
  "external-data-resolvers",
  "token-introspects",
  "mcp-servers",
  "audit-signings",
] as const;

export type OtherCollection = (typeof otherCollections)[number];

/** A project as files say it: what a folder holds, and what `ikg pull` writes. */
export interface ProjectFiles {
  readonly texts: Readonly<Record<ChangeableCollection, Named>>;
  readonly others: Readonly<Record<OtherCollection, Named>>;
}

/** Records of each collection of `project.yaml`. */
export const ofEach = (recordsOf: (collection: OtherCollection) => Named): ProjectFiles["others"] =>
  Object.fromEntries(
    otherCollections.map((collection) => [collection, recordsOf(collection)] as const),
  ) as Readonly<Record<OtherCollection, Named>>; // each of them

/** Fields that are absent where they are not set. */
const isSet = ([, value]: [string, unknown]): boolean =>
  value !== undefined && value !== null && value !== "";

/** A record without what says nothing. */
export const stated = (fields: Fields): Fields => {
  const { tags, ...others } = fields;
  const kept = Array.isArray(tags) && tags.length === 0 ? others : fields;
  return Object.fromEntries(Object.entries(kept).filter(isSet));
};
