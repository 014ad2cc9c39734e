import type { Faults } from "../checked.ts";
import { mayDeleteNode, mayDeleteRelationship } from "../paths/allow.ts";
import { staticLabels } from "../policy/alias-types.ts";
import type { CiqPolicy } from "../policy/ciq.ts";
import type { RelationshipUpsert, Writes } from "./writes.ts";

type NewRelationship = Extract<RelationshipUpsert, { kind: "new" }>;

/** The labels by which relationship types are opened: of a new node its type, of an alias what the text says. */
const labelsOf = (name: string, writes: Writes, policy: CiqPolicy): readonly string[] => {
  const made = writes.upsertNodes.find((entry) => entry.kind === "new" && entry.name === name);
  return made?.kind === "new"
    ? [made.type]
    : staticLabels(name, policy.condition.analysis, policy.subjectType);
};

const checkTriple = (
  entry: NewRelationship,
  at: string,
  writes: Writes,
  policy: CiqPolicy,
  faults: Faults,
): void => {
  const sources = labelsOf(entry.source, writes, policy);
  const targets = labelsOf(entry.target, writes, policy);
  const unlabelled = (name: string): string => `the pattern gives "${name}" no label`;
  if (sources.length === 0) faults.add(`${at}.source`, unlabelled(entry.source));
  if (targets.length === 0) faults.add(`${at}.target`, unlabelled(entry.target));
  if (sources.length === 0 || targets.length === 0) return;
  const allowed = policy.allowed.upserts.relationshipTypes.some(
    ({ type, source, target }) => type === entry.type && sources.includes(source) && targets.includes(target),
  );
  if (allowed) return;
  const triple = `(${sources.join("&")})-[${entry.type}]->(${targets.join("&")})`;
  faults.add(at, `${triple} is not in allowed_upserts.relationships.relationship_types`);
};

/** Holds what a query writes against the allow-lists of its policy: stage (g) of policies specification 1. */
export const checkAllowedWrites = (writes: Writes, policy: CiqPolicy, faults: Faults): void => {
  const { upserts, deletes } = policy.allowed;
  const refuse = (at: string, what: string, list: string): void =>
    faults.add(`query.${at}`, `${what} is not in ${list}`);
  writes.upsertNodes.forEach((entry, index) => {
    if (entry.kind === "new") {
      if (!upserts.nodeTypes.includes(entry.type))
        refuse(`upsert_nodes[${index}].type`, entry.type, "allowed_upserts.nodes.node_types");
    } else if (!upserts.existingNodes.includes(entry.name)) {
      refuse(`upsert_nodes[${index}].name`, entry.name, "allowed_upserts.nodes.existing_nodes");
    }
  });
  writes.upsertRelationships.forEach((entry, index) => {
    const at = `upsert_relationships[${index}]`;
    if (entry.kind === "new") checkTriple(entry, `query.${at}`, writes, policy, faults);
    else if (!upserts.existingRelationships.includes(entry.name))
      refuse(`${at}.name`, entry.name, "allowed_upserts.relationships.existing_relationships");
  });
  writes.deleteNodes.forEach((path, index) => {
    if (!mayDeleteNode(deletes.nodes, path))
      refuse(`delete_nodes[${index}]`, path.text, "allowed_deletes.nodes");
  });
  writes.deleteRelationships.forEach((path, index) => {
    if (!mayDeleteRelationship(deletes.relationships, path))
      refuse(`delete_relationships[${index}]`, path.text, "allowed_deletes.relationships");
  });
};
