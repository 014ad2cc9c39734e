import type { ChangeableCollection } from "@ikg/contracts";

export type Fields = Readonly<Record<string, unknown>>;

/** Records by name. */
export type Named = ReadonlyMap<string, Fields>;

/** Policies and queries have one file each in these folders, and change together in one change set. */
export const folders = {
  "authorization-policies": { folder: "policies", text: "policy" },
  "knowledge-queries": { folder: "queries", text: "query" },
} as const satisfies Readonly<Record<ChangeableCollection, { folder: string; text: string }>>;

/** The file of all other records. */
export const projectFile = "project.yaml";

/**
 * Collections of `project.yaml`, each after those that its records refer to. Credentials are omitted as secrets, and service
 * accounts because they belong to the organization.
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

/** Every collection of a project folder. */
export type FolderCollection = ChangeableCollection | OtherCollection;

/** The contents of a project folder, as written by `ikg pull`. */
export interface ProjectFiles {
  readonly texts: Readonly<Record<ChangeableCollection, Named>>;
  readonly others: Readonly<Record<OtherCollection, Named>>;
}

/** Records of each collection of `project.yaml`. */
export const ofEach = (recordsOf: (collection: OtherCollection) => Named): ProjectFiles["others"] =>
  Object.fromEntries(
    otherCollections.map((collection) => [collection, recordsOf(collection)] as const),
  ) as Readonly<Record<OtherCollection, Named>>; // each of them
