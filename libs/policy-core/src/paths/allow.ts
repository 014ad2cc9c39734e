import type { NodePath, RelationshipPath } from "./path.ts";

/** What an entry is about: an alias, and the property where it names one. */
const topicOf = (path: NodePath | RelationshipPath): string =>
  "name" in path ? `${path.alias} ${path.name}` : path.alias;

const topics = new WeakMap<object, ReadonlyMap<string, readonly unknown[]>>();

/**
 * The entries of a list that can cover a path: of the same alias and, where both name a property, of the same one. Lists
 * and queries may name thousands of paths each.
 */
const about = <P extends NodePath | RelationshipPath>(allowed: readonly P[], asked: P): readonly P[] => {
  let index = topics.get(allowed) as ReadonlyMap<string, readonly P[]> | undefined; // made of this list, below
  if (index === undefined) {
    const distinct = [...new Map(allowed.map((entry) => [entry.text, entry])).values()];
    index = Map.groupBy(distinct, topicOf);
    topics.set(allowed, index);
  }
  const ofAlias = index.get(asked.alias) ?? [];
  return "name" in asked ? [...ofAlias, ...(index.get(topicOf(asked)) ?? [])] : ofAlias;
};

/** Which requested paths an entry `about` them covers in `allowed_reads.nodes`. */
const nodeEntryCovers = (entry: NodePath, asked: NodePath): boolean => {
  switch (entry.kind) {
    case "all":
      return true;
    case "node":
      return asked.kind === "node" || asked.kind === "system";
    case "system":
      return asked.kind === "system" && asked.field === entry.field;
    case "property":
      return asked.kind === "property";
    case "all-properties":
      return ["property", "all-properties", "property-and-metadata", "metadata", "all-metadata"].includes(
        asked.kind,
      );
    case "property-and-metadata":
      return "name" in asked;
    case "metadata":
      return asked.kind === "metadata" && asked.key === entry.key;
    case "all-metadata":
      return asked.kind === "metadata" || asked.kind === "all-metadata";
    case "trust":
      return asked.kind === "trust" && asked.score === entry.score;
    case "all-trust":
      return asked.kind === "trust" || asked.kind === "all-trust";
  }
};

/** True when the list lets a query read the node path. */
export const mayReadNode = (allowed: readonly NodePath[], asked: NodePath): boolean =>
  about(allowed, asked).some((entry) => nodeEntryCovers(entry, asked));

/** True when the list lets a query read the relationship path; listing `r` opens its properties as well. */
export const mayReadRelationship = (allowed: readonly RelationshipPath[], asked: RelationshipPath): boolean =>
  about(allowed, asked).some((entry) => entry.kind !== "property" || asked.kind === "property");

/** True when the list lets a query delete what the path names; a delete never reaches upward (7.4). */
export const mayDeleteNode = (allowed: readonly NodePath[], asked: NodePath): boolean =>
  about(allowed, asked).some((entry) => {
    switch (asked.kind) {
      case "node":
      case "all":
        return entry.kind === asked.kind;
      case "property":
        return ["all", "all-properties", "property"].includes(entry.kind);
      case "metadata":
        return (
          ["all", "property", "property-and-metadata"].includes(entry.kind) ||
          (entry.kind === "metadata" && entry.key === asked.key)
        );
      default:
        return false;
    }
  });

/** The same for relationships. */
export const mayDeleteRelationship = (
  allowed: readonly RelationshipPath[],
  asked: RelationshipPath,
): boolean =>
  about(allowed, asked).some((entry) =>
    asked.kind === "property" ? entry.kind === "all" || entry.kind === "property" : entry.kind === asked.kind,
  );
