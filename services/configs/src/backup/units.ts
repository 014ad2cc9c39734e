import { claimLabel } from "@ikg/graph";
import {
  auditBatchLabel,
  auditChainLabel,
  auditCheckpointLabel,
  auditKeyLabel,
  auditOutboxLabel,
  auditSpillLabel,
  changeEntryLabel,
  changeLabel,
  entryOf,
  graphRemovalLabel,
  importChunkLabel,
  importLabel,
  importRejectionLabel,
  nodeLabel,
  openImportLabel,
  outboxLabel,
  projectKey,
  projectLabel,
  projectNamesLabel,
  quoteName,
  recordLabel,
  recordLabels,
  recordUsageLabel,
  systemTypes,
  trustRangeLabel,
  trustRunLabel,
  typeLabel,
  versionLabel,
  versionOf,
  projectPrefix,
} from "@ikg/physical";
import type { RawDatabase } from "./source.ts";

/** Elements that are copied together. */
export interface Unit {
  /** gid of the project; or what it is. */
  readonly name: string;
  /** Where its nodes `n` are, and its relationships `r`. */
  readonly nodes: readonly Pattern[];
  readonly relationships: readonly Pattern[];
  /** Its patterns may find the same relationship twice. */
  readonly overlaps: boolean;
}

/** What stands after MATCH. */
export interface Pattern {
  readonly match: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A project whose graph is in the shared database has a key; the others have databases of their own. */
export interface Project {
  readonly id: string;
  readonly pk: string | undefined;
}

const pattern = (match: string, params: Pattern["params"] = {}): Pattern => ({ match, params });

export const readProjects = async (database: RawDatabase): Promise<readonly Project[]> => {
  const rows = await database.read(
    `MATCH (p:${quoteName(recordLabels.project)}) RETURN p.id AS id, p.pk AS pk ORDER BY p.id`,
  );
  return rows.map(({ id, pk }) => ({ id: String(id), pk: typeof pk === "string" ? pk : undefined }));
};

const graphOf = (pk: string): Pick<Unit, "nodes" | "relationships"> => {
  const label = projectLabel(projectKey(pk));
  const scores = typeLabel(systemTypes.trustScore, projectKey(pk));
  const [own, score] = [quoteName(label), quoteName(scores)];
  return {
    nodes: [pattern(`(n:${own})`), pattern(`(n:${score}) WHERE NOT n:${own}`)],
    relationships: [pattern(`(n:${own})-[r]->(m)`), pattern(`(n:${score})-[r]->(m) WHERE NOT n:${own}`)],
  };
};

/** The configuration of a project, and its graph where that is in the shared database. */
export const projectUnit = ({ id, pk }: Project): Unit => {
  const record = `(n:${recordLabel} {project_id: $id})`;
  const version = `(n:${versionLabel})-[:${versionOf}]->(:${recordLabel} {project_id: $id})`;
  const [own, change] = [{ id }, { prefix: projectPrefix(id) }];
  const entry = `(n:${changeEntryLabel})-[r:${entryOf}]->(m:${changeLabel}) WHERE m.key STARTS WITH $prefix`;
  const graph = pk === undefined ? { nodes: [], relationships: [] } : graphOf(pk);
  return {
    name: id,
    nodes: [
      pattern(record, own),
      pattern(version, own),
      pattern(`(n:${changeLabel}) WHERE n.key STARTS WITH $prefix`, change),
      pattern(entry, change),
      pattern(`(n:${recordUsageLabel} {key: $id})`, own),
      ...graph.nodes,
    ],
    relationships: [
      pattern(`${record}-[r]->(m)`, own),
      pattern(`(n:${versionLabel})-[r:${versionOf}]->(m:${recordLabel} {project_id: $id})`, own),
      pattern(entry, change),
      ...graph.relationships,
    ],
    overlaps: false,
  };
};

/** Labels that have units of their own, or that a restored deployment has no use for. */
const apart: ReadonlySet<string> = new Set([
  nodeLabel,
  claimLabel,
  outboxLabel,
  auditChainLabel,
  auditBatchLabel,
  auditCheckpointLabel,
  auditKeyLabel,
  auditSpillLabel,
  auditOutboxLabel,
]);

/** Labels of work under way, which is read once: its parts are repeated after a restore as after a crash. */
const underWay: ReadonlySet<string> = new Set([
  importLabel,
  openImportLabel,
  importChunkLabel,
  importRejectionLabel,
  trustRunLabel,
  trustRangeLabel,
  projectNamesLabel,
  graphRemovalLabel,
]);

const unitOf = (name: string, labels: readonly string[], condition: string): Unit => ({
  name,
  nodes: labels.map((label) => pattern(`(n:${quoteName(label)}) WHERE ${condition}`)),
  relationships: labels.map((label) => pattern(`(n:${quoteName(label)})-[r]->(m) WHERE ${condition}`)),
  overlaps: true,
});

const isProject = (id: string): string =>
  `EXISTS { MATCH (p:${recordLabel} {id: ${id}}) WHERE p.kind = 'project' }`;

/** Nodes of the platform that are in the unit of no project, whichever projects there are when they are read. */
const ofNoProject = [
  `NOT ((n:${recordLabel} OR n:${versionLabel}) AND n.project_id IS NOT NULL)`,
  `NOT (n:${recordUsageLabel} AND ${isProject("n.key")})`,
  `NOT (n:${changeLabel} AND ${isProject("n.project_id")})`,
  `NOT (n:${changeEntryLabel} AND EXISTS { MATCH (n)-[:${entryOf}]->(c) WHERE ${isProject("c.project_id")} })`,
].join(" AND ");

/** What belongs to no project: organizations, accounts, and whatever else the platform keeps. */
export interface PlatformUnits {
  readonly platform: Unit;
  readonly work: Unit;
}

/** @throws Error for a label that is neither the platform's nor that of a graph: nothing is left out silently */
export const platformUnits = async (database: RawDatabase): Promise<PlatformUnits> => {
  const rows = await database.read("CALL db.labels() YIELD label RETURN label ORDER BY label");
  // Labels of graphs end in the key of their project.
  const labels = rows
    .map((row) => String(row["label"]))
    .filter((label) => !/__[a-z0-9]{8}$/.test(label) && !apart.has(label));
  for (const label of labels.filter((each) => !each.startsWith("_"))) {
    const found = await database.read(`MATCH (n:${quoteName(label)}) WHERE NOT n:_Node RETURN 1 LIMIT 1`);
    if (found.length > 0) throw new Error(`nodes with the label ${label} are not of this suite; remove them`);
  }
  const known = labels.filter((label) => label.startsWith("_"));
  return {
    platform: unitOf(
      "platform",
      known.filter((label) => !underWay.has(label)),
      ofNoProject,
    ),
    work: unitOf(
      "work",
      known.filter((label) => underWay.has(label)),
      "true",
    ),
  };
};
