import type { ProjectLimitName } from "@ikg/contracts";

/** Kinds of names that the database never frees; each is the name of a limit of projects. */
export const nameKinds = [
  "property_names",
  "relationship_types",
  "node_types",
] as const satisfies readonly ProjectLimitName[];

export type NameKind = (typeof nameKinds)[number];

/** Names by their kind. */
export type NamesByKind = Readonly<Record<NameKind, ReadonlySet<string>>>;

/** Receives one name: a node type, extra label or relationship type of a request as it is, a property as its physical key. */
export type TakeName = (kind: NameKind, name: string) => void;

/** A part of a write with the names that it would make the database keep. */
export interface NameUse {
  /** JSON path of the part, for errors. */
  readonly place: string;
  /** Calls `take` with every name of the part; a name may come several times. */
  readonly visit: (take: TakeName) => void;
}

/** A set of every kind, each empty. */
export const noNames = (): Record<NameKind, Set<string>> => ({
  property_names: new Set(),
  relationship_types: new Set(),
  node_types: new Set(),
});
