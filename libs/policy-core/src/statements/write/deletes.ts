import {
  keyField,
  metadataField,
  nodeLabel,
  propertyField,
  quoteName,
  relationshipField,
  relationshipFields,
  systemFields,
  systemRelationships,
  systemTypes,
  typeLabel,
  type ProjectKey,
} from "@ikg/physical";
import type { NodePath } from "../../paths/path.ts";
import type { Writes } from "../../query/read-upserts.ts";
import { relationshipById } from "./upserts.ts";

/** One statement of step 5 and whose elements it takes: `keys` of nodes, `ids` of relationships, and `now`. */
export interface DeleteStatement {
  readonly text: string;
  readonly of: "node" | "relationship";
  readonly alias: string;
  /** As the query writes it. */
  readonly path: string;
  /** Further parameters, the same for every request. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

const { createTime, updateTime, discriminator } = relationshipFields;

const byKey = ["UNWIND $keys AS k", `MATCH (n:${nodeLabel} {${keyField}: k})`];
const setUpdateTime = "SET n.update_time = $now";
const removeFields = (test: string): readonly string[] => [
  setUpdateTime,
  `WITH n UNWIND [f IN keys(n) WHERE ${test}] AS f`,
  "REMOVE n[f]",
];

const nodeDelete = (path: NodePath, pk: ProjectKey): DeleteStatement => {
  const made = (lines: readonly string[], fixed: Record<string, unknown> = {}): DeleteStatement => ({
    text: [...byKey, ...lines].join("\n"),
    of: "node",
    alias: path.alias,
    path: path.text,
    fixed,
  });
  switch (path.kind) {
    case "node": {
      const trust = `(t:${quoteName(typeLabel(systemTypes.trustScore, pk))})`;
      return made([
        `OPTIONAL MATCH (n)-[:${systemRelationships.trustScore}]->${trust}`,
        "DETACH DELETE n, t",
      ]);
    }
    case "all":
      return made(removeFields("NOT f IN $system AND (NOT f STARTS WITH '_' OR f STARTS WITH '_p.')"), {
        system: systemFields,
      });
    case "property":
      return made(removeFields("f = $field OR f STARTS WITH $field + '.'"), {
        field: propertyField(path.name),
      });
    case "metadata":
      return made(["SET n += $fields, n.update_time = $now"], {
        fields: { [metadataField(path.name, path.key)]: null },
      });
    default:
      throw new Error(`${path.text} cannot be deleted`);
  }
};

/** The statements of deletes in their order: what is part of something goes first. */
export const deleteStatements = (writes: Writes, pk: ProjectKey): readonly DeleteStatement[] => {
  const relationships = writes.deleteRelationships.map((path): DeleteStatement => {
    const made = (line: string, fixed: Record<string, unknown> = {}): DeleteStatement => ({
      text: ["UNWIND $ids AS e", relationshipById(pk), line].join("\n"),
      of: "relationship",
      alias: path.alias,
      path: path.text,
      fixed,
    });
    switch (path.kind) {
      case "relationship":
        return made("DELETE r");
      case "all":
        // The discriminator stays, so that it remains the same relationship.
        return made(
          `SET r = {${createTime}: r.${createTime}, ${updateTime}: $now, ${discriminator}: r.${discriminator}}`,
        );
      case "property":
        return made(`SET r += $fields, r.${updateTime} = $now`, {
          fields: { [relationshipField(path.name)]: null },
        });
    }
  });
  const nodes = writes.deleteNodes.map((path) => nodeDelete(path, pk));
  const isWhole = (index: number, paths: readonly { readonly kind: string }[]): boolean =>
    ["node", "relationship"].includes(paths[index]?.kind ?? "");
  const partsFirst = (
    statements: readonly DeleteStatement[],
    paths: readonly { readonly kind: string }[],
  ): readonly DeleteStatement[] => [
    ...statements.filter((_, index) => !isWhole(index, paths)),
    ...statements.filter((_, index) => isWhole(index, paths)),
  ];
  return [...partsFirst(relationships, writes.deleteRelationships), ...partsFirst(nodes, writes.deleteNodes)];
};
