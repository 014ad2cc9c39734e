import { hash } from "node:crypto";
import type { Redis } from "ioredis";
import { newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import type { Names, NameUse } from "@ikg/graph-names";
import {
  externalValueField,
  keyField,
  metadataField,
  nodeKey,
  nodeLabel,
  projectLabel,
  propertyField,
  propertyTimeField,
  typeLabel,
} from "@ikg/physical";
import type { IntrospectedProject, IntrospectionConfig } from "./types.ts";

/** The node of a verified bearer. */
export interface TokenNode {
  readonly subject: string;
  /** Mapped claims that the token has, by property name. */
  readonly mapped: ReadonlyMap<string, unknown>;
  /** Where they come from. */
  readonly source: string;
}

export type WriteTokenNode = (
  project: IntrospectedProject["project"],
  config: IntrospectionConfig,
  node: TokenNode,
) => Promise<void>;

const skipSeconds = 600;
/** A request waits for this before its policy runs. */
const writeMs = 2_000;

const isStorable = (value: unknown): boolean =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value)) ||
  (Array.isArray(value) && value.every((each) => typeof each === "string"));

/** Labels as a parameter: one text, and one plan of the database, for every type and project. */
const statement = `MERGE (n:${nodeLabel} {${keyField}: $key})
ON CREATE SET n:$($labels), n += $fresh
SET n += $fields`;

/** Physical keys of the properties that one token gives its node. */
const fieldsOf = ({ mapped, source }: TokenNode, now: string): Record<string, unknown> => {
  const fields: [string, unknown][] = [["update_time", now]];
  for (const [name, value] of mapped) {
    if (!isStorable(value)) continue;
    fields.push(
      [propertyField(name), value],
      // A value and a reference to one replace each other.
      [externalValueField(name), null],
      [propertyTimeField(name), now],
      [metadataField(name, "source"), source],
    );
  }
  return Object.fromEntries(fields);
};

/** The names that the node makes the database keep. */
const namesOf =
  ({ nodeType }: IntrospectionConfig, { mapped }: TokenNode): NameUse["visit"] =>
  (take) => {
    take("node_types", nodeType);
    for (const [name, value] of mapped) if (isStorable(value)) take("property_names", propertyField(name));
  };

/**
 * Writes the node of a bearer's subject, unless the same was written in the last 10
 * minutes. Without Redis it is written every time.
 */
export const openTokenNodes =
  (graph: Graph, names: Pick<Names, "reserve">, redis: Redis, now: () => number): WriteTokenNode =>
  async (project, config, node) => {
    const { subject, mapped, source } = node;
    const content = JSON.stringify([config.nodeType, source, subject, [...mapped]]);
    const written = `tokennode:${config.id}:${hash("sha256", content, "hex")}`;
    if ((await redis.exists(written).catch(() => 0)) === 1) return;

    const time = new Date(now()).toISOString();
    const fresh = {
      id: newGid("node"),
      type: config.nodeType,
      external_id: subject,
      is_identity: true,
      create_time: time,
    };
    const params = {
      key: nodeKey(project.pk, config.nodeType, subject),
      labels: [projectLabel(project.pk), typeLabel(config.nodeType, project.pk)],
      fresh,
      fields: fieldsOf(node, time),
    };
    await names.reserve(project, [{ place: "node", visit: namesOf(config, node) }], writeMs);
    await graph.of(project).write((tx) => tx.run(statement, params), { timeoutMs: writeMs });
    await redis.set(written, "1", "EX", skipSeconds).catch(() => undefined);
  };
