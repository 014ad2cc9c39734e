import { newGid, type Gid } from "@ikg/contracts";
import { connectGraph, type Graph, prepareGraphSchema } from "@ikg/graph";
import { newProjectKey, nodeKey, projectLabel, typeLabel } from "@ikg/physical";
import { graphSettings } from "@ikg/service";
import { randomBytes } from "node:crypto";
import { settingsOfTest } from "../environment.ts";

const options = { timeoutMs: 120_000 };

/** What a build that versioned nothing has left: records without sizes and counts, graphs without lists of their names. */
export interface UnversionedData {
  readonly graph: Graph;
  /** Versions that were read of it. */
  readonly versions: readonly number[];
  run(text: string, params?: Record<string, unknown>): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** What the migration makes of it. */
  readonly expected: {
    readonly sizes: Readonly<Record<string, number>>;
    /** Records and bytes by project. */
    readonly usage: Readonly<
      Record<string, { readonly authorization_policy: number; readonly bytes: number }>
    >;
    /** Types of nodes by project. */
    readonly names: Readonly<Record<string, readonly string[]>>;
  };
  /** What is stored now. */
  found(): Promise<UnversionedData["expected"]>;
  /** Version of the data and places of migrations. */
  claim(): Promise<Readonly<Record<string, unknown>>>;
  /** Takes the version and the places of migrations from the claim again. */
  removeVersion(): Promise<void>;
  remove(): Promise<void>;
}

export interface Amount {
  readonly projects: number;
  readonly policies: number;
}

const now = new Date().toISOString();

const record = (kind: string, id: Gid, organization: Gid, more: object) => ({
  id,
  kind,
  organization_id: organization,
  version: 1,
  etag: "e",
  create_time: now,
  update_time: now,
  created_by: organization,
  updated_by: organization,
  data: "{}",
  ...more,
});

type Run = UnversionedData["run"];

/** One project with its policies and a node. @returns what the migration makes of it */
const writeProject = async (
  run: Run,
  organization: Gid,
  index: number,
  policies: number,
): Promise<UnversionedData["expected"]> => {
  const id = newGid("project");
  const pk = newProjectKey(randomBytes(8));
  const sizes: Record<string, number> = { [id]: 2 };
  const rows = Array.from({ length: policies }, (_, at) => {
    const text = "é€".repeat((index + at) % 7) + "policy";
    const policy = newGid("authorization_policy");
    sizes[policy] = 2 + Buffer.byteLength(text);
    return record("authorization_policy", policy, organization, {
      project_id: id,
      parent_id: id,
      name: `p${at}`,
      text,
    });
  });
  const own = { parent_id: organization, project_id: id, name: `p${index}`, pk };
  await run(
    `MATCH (o:_Record {id: $organization})
     CREATE (p:_Record:_Project)-[:_PART_OF]->(o) SET p = $project
     WITH p UNWIND $rows AS row CREATE (r:_Record:_AuthorizationPolicy)-[:_PART_OF]->(p) SET r = row`,
    { organization, project: record("project", id, organization, own), rows },
  );
  const type = `Type${index % 5}`;
  await run("CREATE (n:_Node) SET n:$($labels), n = $node", {
    labels: [projectLabel(pk), typeLabel(type, pk)],
    node: { _key: nodeKey(pk, type, "one"), id: newGid("node"), type, external_id: "one", colour: "red" },
  });
  const bytes = rows.reduce((sum, row) => sum + (sizes[row.id] ?? 0), 0);
  return { sizes, usage: { [id]: { authorization_policy: policies, bytes } }, names: { [id]: [type] } };
};

const readFound = async (run: Run, organization: Gid): Promise<UnversionedData["expected"]> => {
  const parameters = { organization };
  const records = await run(
    "MATCH (r:_Record {organization_id: $organization}) RETURN r.id AS id, r.content_bytes AS bytes",
    parameters,
  );
  const counts = await run(
    "MATCH (p:_Project {organization_id: $organization}) MATCH (u:_RecordUsage {key: p.id}) RETURN u.key AS id, u.authorization_policy AS authorization_policy, u.bytes AS bytes",
    parameters,
  );
  const lists = await run(
    "MATCH (p:_Project {organization_id: $organization}) MATCH (g:_ProjectNames {key: p.id + '/names'}) WHERE g.count_time IS NOT NULL RETURN p.id AS id, g.node_types AS types",
    parameters,
  );
  return {
    sizes: Object.fromEntries(records.map(({ id, bytes }) => [id, bytes])),
    usage: Object.fromEntries(counts.map(({ id, ...more }) => [id, more])),
    names: Object.fromEntries(lists.map(({ id, types }) => [id, types])),
  };
};

const removeData = async (run: Run, organization: Gid): Promise<void> => {
  for (const text of [
    "MATCH (p:_Project {organization_id: $organization}) MATCH (n:_Node) WHERE n._key STARTS WITH p.pk + '/' DETACH DELETE n",
    "MATCH (p:_Project {organization_id: $organization}) MATCH (x) WHERE x:_RecordUsage AND x.key = p.id OR x:_ProjectNames AND x.key = p.id + '/names' DELETE x",
    "MATCH (u:_RecordUsage {key: $organization}) DELETE u",
    "MATCH (r:_Record {organization_id: $organization}) DETACH DELETE r",
  ])
    await run(text, { organization });
  await run(
    "MATCH (c:_Claim {key: 'database'}) SET c.schema_version = 1, c.schema_readable_from = 0 REMOVE c.migration_holder, c.migration_until, c.migration_epoch, c.migration_step, c.migration_cursor",
  );
};

/** Writes it. The claim of the database loses its version. */
export const writeUnversionedData = async ({ projects, policies }: Amount): Promise<UnversionedData> => {
  const versions: number[] = [];
  const graph = connectGraph(graphSettings(settingsOfTest()), {
    onSchema: (version) => void versions.push(version),
  });
  const run: Run = (text, params = {}) => graph.shared.write((tx) => tx.run(text, params), options);
  await graph.prepare();
  await prepareGraphSchema(graph.shared);
  const organization = newGid("organization");
  await run("CREATE (r:_Record:_Organization) SET r = $fields", {
    fields: record("organization", organization, organization, { name: "unversioned" }),
  });
  const ofProjects: UnversionedData["expected"][] = [];
  for (let index = 0; index < projects; index++)
    ofProjects.push(await writeProject(run, organization, index, policies));
  const removeVersion = async (): Promise<void> => {
    await run(
      "MATCH (c:_Claim {key: 'database'}) REMOVE c.schema_version, c.schema_readable_from, c.migration_holder, c.migration_until, c.migration_epoch, c.migration_step, c.migration_cursor",
    );
  };
  await removeVersion();
  return {
    graph,
    versions,
    run,
    expected: {
      sizes: Object.assign({ [organization]: 2 }, ...ofProjects.map(({ sizes }) => sizes)),
      usage: Object.assign({}, ...ofProjects.map(({ usage }) => usage)),
      names: Object.assign({}, ...ofProjects.map(({ names }) => names)),
    },
    found: () => readFound(run, organization),
    claim: async () => {
      const [row] = await run("MATCH (c:_Claim {key: 'database'}) RETURN properties(c) AS claim");
      return row?.["claim"] as Readonly<Record<string, unknown>>; // properties of a node
    },
    removeVersion,
    remove: async () => {
      await removeData(run, organization);
      await graph.close();
    },
  };
};
