import { topicOf, type NodePath, type RelationshipPath } from "./path.ts";

const topics = new WeakMap<object, ReadonlyMap<string, readonly unknown[]>>();

/** The topic of a path and those above it: its alias, and of a metadata key the property. */
const topicsOf = (path: NodePath | RelationshipPath): ReadonlySet<string> => {
  const { alias } = path;
  return new Set([alias, ...("name" in path ? [topicOf({ alias, name: path.name })] : []), topicOf(path)]);
};

/** The entries of a list by topic. Lists and queries may name thousands of paths each. */
const entriesOf = <P extends NodePath | RelationshipPath>(
  allowed: readonly P[],
): ReadonlyMap<string, readonly P[]> => {
  const known = topics.get(allowed) as ReadonlyMap<string, readonly P[]> | undefined; // made of this list, below
  if (known !== undefined) return known;
  const distinct = [...new Map(allowed.map((entry) => [entry.text, entry])).values()];
  const entries = Map.groupBy(distinct, topicOf);
  topics.set(allowed, entries);
  return entries;
};

/**
 * The entries of a list that can cover a path: of the same alias and, where both name a property or a metadata key, of the
 * same one.
 */
const about = <P extends NodePath | RelationshipPath>(allowed: readonly P[], requested: P): readonly P[] => {
  const entries = entriesOf(allowed);
  return [...topicsOf(requested)].flatMap((topic) => entries.get(topic) ?? []);
};

/** Which requested paths an entry `about` them covers in `allowed_reads.nodes`. */
const nodeEntryCovers = (entry: NodePath, requested: NodePath): boolean => {
  switch (entry.kind) {
    case "all":
      return true;
    case "node":
      return requested.kind === "node" || requested.kind === "system";
    case "system":
      return requested.kind === "system" && requested.field === entry.field;
    case "property":
      return requested.kind === "property";
    case "all-properties":
      return ["property", "all-properties", "property-and-metadata", "metadata", "all-metadata"].includes(
        requested.kind,
      );
    case "property-and-metadata":
      return "name" in requested;
    case "metadata":
      return requested.kind === "metadata" && requested.key === entry.key;
    case "all-metadata":
      return requested.kind === "metadata" || requested.kind === "all-metadata";
    case "trust":
      return requested.kind === "trust" && requested.score === entry.score;
    case "all-trust":
      return requested.kind === "trust" || requested.kind === "all-trust";
  }
};

/** True when the list lets a query read the node path. */
export const mayReadNode = (allowed: readonly NodePath[], requested: NodePath): boolean =>
  about(allowed, requested).some((entry) => nodeEntryCovers(entry, requested));

/** True when the list lets a query read the relationship path; listing `r` opens its properties as well. */
export const mayReadRelationship = (
  allowed: readonly RelationshipPath[],
  requested: RelationshipPath,
): boolean =>
  about(allowed, requested).some((entry) => entry.kind !== "property" || requested.kind === "property");

/** True when the list lets a query delete what the path names; a delete never reaches upward. */
export const mayDeleteNode = (allowed: readonly NodePath[], requested: NodePath): boolean =>
  about(allowed, requested).some((entry) => {
    switch (requested.kind) {
      case "node":
      case "all":
        return entry.kind === requested.kind;
      case "property":
        return ["all", "all-properties", "property"].includes(entry.kind);
      case "metadata":
        return (
          ["all", "property", "property-and-metadata"].includes(entry.kind) ||
          (entry.kind === "metadata" && entry.key === requested.key)
        );
      default:
        return false;
    }
  });

/** The same for relationships. */
export const mayDeleteRelationship = (
  allowed: readonly RelationshipPath[],
  requested: RelationshipPath,
): boolean =>
  about(allowed, requested).some((entry) =>
    requested.kind === "property"
      ? entry.kind === "all" || entry.kind === "property"
      : entry.kind === requested.kind,
  );
