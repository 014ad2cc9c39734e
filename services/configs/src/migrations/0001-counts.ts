import { missingNames } from "@ikg/graph-names";
import { lookUpProperties, recordLabel, takeLock } from "@ikg/physical";
import type { Gid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { byteSizeOf } from "../records/record.ts";
import { recountUsage } from "../records/usage.ts";
import type { Migration, Step } from "./migration.ts";

const options = { timeoutMs: 60_000 };
const lastOf = (ids: readonly string[]): string => ids.at(-1) ?? "";

const unsizedText = [
  `MATCH (r:${recordLabel}) WHERE r.id > $after AND r.content_bytes IS NULL`,
  "RETURN r.id AS id ORDER BY r.id LIMIT $batch",
].join(" ");
const lockUnsizedText = [
  `UNWIND $ids AS id MATCH (r:${recordLabel} {id: id}) ${takeLock("r")}`,
  "WITH r WHERE r.content_bytes IS NULL",
  `RETURN r.id AS id, r.data AS data, r.${lookUpProperties.text} AS text, r.description AS description`,
].join(" ");
const setSizesText = `UNWIND $sizes AS row MATCH (r:${recordLabel} {id: row.id}) SET r.content_bytes = row.bytes`;

const setSizes = async (tx: Transaction, ids: readonly string[]): Promise<void> => {
  const rows = await tx.run(lockUnsizedText, { ids });
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const sizes = rows.map(({ id, data, text: body, description }) => ({
    id,
    bytes: byteSizeOf(text(data), text(body), text(description)),
  }));
  await tx.run(setSizesText, { sizes });
};

/** Gives records the size that counts against the limit of their project. */
const sizes: Step = {
  name: "sizes",
  next: async ({ database, batch }, after) => {
    const rows = await database.read(unsizedText, { after, batch }, options);
    const ids = rows.map((row) => String(row["id"]));
    return ids.length === 0
      ? undefined
      : { cursor: lastOf(ids), items: ids.length, write: (tx) => setSizes(tx, ids) };
  },
};

const ownersText = [
  `MATCH (r:${recordLabel}) WHERE r.id > $after AND r.kind IN ['organization', 'project']`,
  "RETURN r.id AS id ORDER BY r.id LIMIT $batch",
].join(" ");

/** Counts the records and bytes of organizations and projects: of those without a count, and where sizes were estimated. */
const usage: Step = {
  name: "usage",
  next: async ({ database, batch, now }, after) => {
    // Each looks at all records of a project.
    const rows = await database.read(ownersText, { after, batch: Math.ceil(batch / 20) }, options);
    const ids = rows.map((row) => row["id"] as Gid); // records have gids
    if (ids.length === 0) return undefined;
    const write = async (tx: Transaction): Promise<void> => {
      for (const id of ids) await recountUsage(tx, id, now());
    };
    return { cursor: lastOf(ids), items: ids.length, write };
  },
};

const nextProjectText = [
  `MATCH (p:${recordLabel}) WHERE p.id > $after AND p.kind = 'project' AND p.${lookUpProperties.projectKey} IS NOT NULL`,
  `RETURN p.id AS id, p.organization_id AS organization, p.${lookUpProperties.projectKey} AS pk ORDER BY p.id LIMIT 1`,
].join(" ");

/** Completes the lists of names of graphs that are older than the lists: no write waits for that later. */
const names: Step = {
  name: "names",
  next: async ({ database, graph, now }, after) => {
    const [row] = await database.read(nextProjectText, { after }, options);
    if (row === undefined) return undefined;
    const project = {
      id: String(row["id"]),
      organizationId: String(row["organization"]),
      pk: String(row["pk"]),
    };
    const write = await missingNames(graph.of(project, undefined, "background"), project, now());
    return { cursor: project.id, items: 1, ...(write === undefined ? {} : { write }) };
  },
};

/** The same for the graph that a project brings. */
const ownNames: Step = {
  name: "names",
  next: async ({ database, project, now }, after) => {
    if (project === undefined || after !== "") return undefined;
    const write = await missingNames(database, project, now());
    return { cursor: project.id, items: 1, ...(write === undefined ? {} : { write }) };
  },
};

/**
 * Brings data of builds that versioned nothing to what is assumed from here on: sizes of records, counts of records and bytes,
 * lists of names, and every constraint in the databases that projects bring.
 */
export const migration: Migration = {
  version: 1,
  name: "counts",
  readableFrom: 0,
  shared: [sizes, usage, names],
  own: [ownNames],
};
