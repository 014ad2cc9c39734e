import {
  auditBatchLabel as batchLabel,
  auditChainLabel as chainLabel,
  auditCheckpointLabel as checkpointLabel,
  auditKeyLabel as keyLabel,
  auditOutboxLabel,
  auditSpillLabel as spillLabel,
  takeLock,
} from "@ikg/physical";

export const takeText = [
  `MERGE (c:${chainLabel} {project_id: $project})`,
  "ON CREATE SET c += {sequence: 0, head_hash: '', position: '0-0', fence: 0, checkpoint_sequence: 0, checkpoint_time: $now, organization_id: $organization}",
  // Empty where the first entries of the chain could not be read.
  "SET c.fence = c.fence + 1, c.organization_id = CASE c.organization_id WHEN '' THEN $organization ELSE c.organization_id END",
  "RETURN properties(c) AS c",
].join(" ");

const mine = (fields: string): string =>
  [
    `MATCH (c:${chainLabel} {project_id: $project}) ${takeLock("c")}`,
    `WITH c WHERE c.fence = $fence AND ${fields}`,
  ].join(" ");

// The statement that writes a batch also compares the end of the chain, so that the batch follows no other state.
export const appendText = [
  mine("c.sequence = $sequence - 1 AND c.head_hash = $prev"),
  `CREATE (b:${batchLabel}) SET b = $batch`,
  "SET c += {sequence: $sequence, head_hash: $head, position: $position, kid: $kid, failing_since: null}, c += $more",
  `MERGE (k:${keyLabel} {key: $registered.key}) ON CREATE SET k = $registered, k.first_sequence = $sequence`,
  "SET k.last_sequence = $sequence RETURN c.sequence AS sequence",
].join(" ");

export const spillText = [
  mine("c.sequence = $sequence"),
  `CREATE (s:${spillLabel}) SET s = $spill, c += $more RETURN c.sequence AS sequence`,
].join(" ");

/** What a batch took leaves its place in the same transaction: no record is in two batches. */
export const takenText = [
  `UNWIND $keys AS key MATCH (o:${auditOutboxLabel} {key: key}) DELETE o RETURN count(o) AS taken`,
].join(" ");
export const unspillText = `MATCH (s:${spillLabel} {key: $key}) DELETE s RETURN count(s) AS taken`;

export const outboxText = [
  `MATCH (o:${auditOutboxLabel}) WHERE o.key > $after AND o.key < $before`,
  "RETURN o.key AS key, o.organization_id AS organization, o.records AS records ORDER BY o.key LIMIT $limit",
].join(" ");
export const spillsText = `UNWIND $keys AS key MATCH (s:${spillLabel} {key: key}) RETURN properties(s) AS s`;
/** Nodes that one statement counts at most. */
export const outboxCounted = 20_000;
/** What waits in the database, by chain, from the first nodes after a key on. */
export const outboxSizesText = [
  `MATCH (o:${auditOutboxLabel}) WHERE o.key > $after WITH o ORDER BY o.key LIMIT ${outboxCounted}`,
  "RETURN o.chain AS chain, sum(o.count) AS records, sum(o.bytes) AS bytes, count(o) AS nodes",
].join(" ");
export const spillSizesText = [
  `MATCH (c:${chainLabel}) WHERE c.spilled > 0`,
  "RETURN c.project_id AS chain, c.spilled_records AS records, c.spilled_bytes AS bytes",
].join(" ");
/** Chains whose last batch came from streams that were replaced since, recent enough that records may have been lost with them. */
export const replacedStreamsText = [
  `MATCH (c:${chainLabel}) WHERE c.streams <> $streams AND c.batch_time > $since`,
  "RETURN c.project_id AS chain",
].join(" ");

export const failingText = [
  mine("c.sequence = $sequence"),
  "SET c.failing_since = $since RETURN c.sequence AS sequence",
].join(" ");

export const checkpointText = [
  mine("c.sequence >= $sequence"),
  `CREATE (p:${checkpointLabel}) SET p = $checkpoint`,
  "SET c += {checkpoint_sequence: $sequence, checkpoint_time: $now}",
  `MERGE (k:${keyLabel} {key: $registered.key}) ON CREATE SET k = $registered, k.first_sequence = $sequence, k.last_sequence = $sequence`,
  "RETURN p.key AS key",
].join(" ");

export const dueText = [
  `MATCH (c:${chainLabel}) WHERE c.sequence > c.checkpoint_sequence AND c.checkpoint_time < $before`,
  "RETURN c.project_id AS project",
].join(" ");

export type Order = "ASC" | "DESC";

const page = (label: string, fields: string, order: Order, shown: string): string =>
  `MATCH (n:${label}) WHERE n.key > $after AND n.key < $before ${fields} RETURN ${shown} ORDER BY n.key ${order} LIMIT $limit`;

const batches = (order: Order): string =>
  page(batchLabel, "AND n.data IS NOT NULL", order, "n.manifest AS manifest, n.data AS data");
export const batchesTexts = { ASC: batches("ASC"), DESC: batches("DESC") } as const;

/** Batches of a time: along the chain, whose place in the list no other project's batches change. */
const batchesBetween = (order: Order): string =>
  [
    `MATCH (n:${batchLabel}) USING INDEX n:${batchLabel}(key)`,
    "WHERE n.key > $after AND n.key < $before AND n.data IS NOT NULL AND n.kept_since >= $since AND n.kept_since < $until",
    `RETURN n.manifest AS manifest, n.data AS data ORDER BY n.key ${order} LIMIT $limit`,
  ].join(" ");
export const batchesBetweenTexts = { ASC: batchesBetween("ASC"), DESC: batchesBetween("DESC") } as const;

export const manifestsText = page(batchLabel, "", "ASC", "n.manifest AS manifest");
export const checkpointsText = page(checkpointLabel, "", "DESC", "n.checkpoint AS checkpoint");
export const keysText = `MATCH (k:${keyLabel}) WHERE k.project_id = $project RETURN properties(k) AS k ORDER BY k.first_sequence, k.kid`;
export const oneKeyText = `MATCH (k:${keyLabel} {key: $key}) RETURN properties(k) AS k`;
export const organizationText = `MATCH (c:${chainLabel} {project_id: $project}) RETURN c.organization_id AS organization`;
export const forgetText = [
  `MATCH (b:${batchLabel}) WHERE b.kept_since < $before WITH b LIMIT 500`,
  "REMOVE b.data, b.kept_since RETURN count(b) AS forgotten",
].join(" ");
