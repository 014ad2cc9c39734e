import {
  metadataField,
  propertyField,
  relationshipField,
  relationshipFields,
  systemRelationships,
  systemTypes,
  typeLabel,
  type ProjectKey,
} from "@ikg/physical";
import type { Expression, ListComprehension, PatternComprehension } from "../cypher/ast.ts";
import type { NodePath, RelationshipPath, TrustScore } from "../paths/path.ts";
import { call, hop, noPosition, property, variable } from "./build.ts";

const scored = "__scored";
const score = "__score";

/** The score of a node: from its `_TrustScore` node, null before the first scoring pass. */
const trust = (root: Expression, name: TrustScore, pk: ProjectKey): Expression => {
  const from = root.kind === "variable" ? root.name : scored;
  const found: PatternComprehension = {
    kind: "pattern-comprehension",
    pattern: hop(from, systemRelationships.trustScore, score, typeLabel(systemTypes.trustScore, pk)),
    result: property(variable(score), name),
    at: noPosition,
  };
  if (root.kind === "variable") return call("head", found);
  // A pattern begins at a name: give the expression one.
  const named: ListComprehension = {
    kind: "list-comprehension",
    variable: scored,
    list: { kind: "list", items: [root], at: noPosition },
    result: call("head", found),
    at: noPosition,
  };
  return call("head", named);
};

/** The value that a node path names, `root` being the node. Wildcards have no single value and are refused before. */
export const physicalNodePath = (root: Expression, path: NodePath, pk: ProjectKey): Expression => {
  switch (path.kind) {
    case "node":
      return root;
    case "system":
      return property(root, path.field);
    case "property":
      return property(root, propertyField(path.name));
    case "metadata":
      return property(root, metadataField(path.name, path.key));
    case "trust":
      return trust(root, path.score, pk);
    case "all":
    case "all-properties":
    case "property-and-metadata":
    case "all-metadata":
    case "all-trust":
      throw new Error(`${path.text} names more than one value`);
  }
};

/** The value that a relationship path names. */
export const physicalRelationshipPath = (root: Expression, path: RelationshipPath): Expression => {
  if (path.kind !== "property") return root;
  switch (path.name) {
    case "type":
      return call("type", root);
    case "create_time":
      return property(root, relationshipFields.createTime);
    case "update_time":
      return property(root, relationshipFields.updateTime);
    default:
      return property(root, relationshipField(path.name));
  }
};
