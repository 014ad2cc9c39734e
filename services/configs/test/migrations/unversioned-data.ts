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

/** Writes it. The claim of the database loses its version. */
export const writeUnversionedData = async ({ projects, policies }: Amount): Promise<UnversionedData> => {
  const graph = connectGraph(graphSettings(settingsOfTest()));
  const run: UnversionedData["run"] = (text, params = {}) =>
    graph.shared.write((tx) => tx.run(text, params), options);
  await graph.prepare();
  await prepareGraphSchema(graph.shared);
  const organization = newGid("organization");
  const sizes: Record<string, number> = { [organization]: 2 };
  const usage: Record<string, { authorization_policy: number; bytes: number }> = {};
  const names: Record<string, readonly string[]> = {};
  await run("CREATE (r:_Record:_Organization) SET r = $fields", {
    fields: record("organization", organization, organization, { name: "unversioned" }),
  });
  for (let index = 0; index < projects; index++) {
    const id = newGid("project");
    const pk = newProjectKey(randomBytes(8));
    sizes[id] = 2;
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
    usage[id] = {
      authorization_policy: policies,
      bytes: rows.reduce((sum, row) => sum + (sizes[row.id] ?? 0), 0),
    };
    names[id] = [`Type${index % 5}`];
    await run(
      `MATCH (o:_Record {id: $organization})
       CREATE (p:_Record:_Project)-[:_PART_OF]->(o) SET p = $project
       WITH p UNWIND $rows AS row CREATE (r:_Record:_AuthorizationPolicy)-[:_PART_OF]->(p) SET r = row`,
      {
        organization,
        project: record("project", id, organization, {
          parent_id: organization,
          project_id: id,
          name: `p${index}`,
          pk,
        }),
        rows,
      },
    );
    const type = names[id]?.[0] ?? "";
    await run("CREATE (n:_Node) SET n:$($labels), n = $node", {
      labels: [projectLabel(pk), typeLabel(type, pk)],
      node: { _key: nodeKey(pk, type, "one"), id: newGid("node"), type, external_id: "one", colour: "red" },
    });
  }
  const removeVersion = async (): Promise<void> => {
    await run(
      "MATCH (c:_Claim {key: 'database'}) REMOVE c.schema_version, c.schema_readable_from, c.migration_holder, c.migration_until, c.migration_epoch, c.migration_step, c.migration_cursor",
    );
  };
  await removeVersion();
  const found: UnversionedData["found"] = async () => {
    const records = await run(
      "MATCH (r:_Record {organization_id: $organization}) RETURN r.id AS id, r.content_bytes AS bytes",
      {
        organization,
      },
    );
    const counts = await run(
      "MATCH (p:_Project {organization_id: $organization}) MATCH (u:_RecordUsage {key: p.id}) RETURN u.key AS id, u.authorization_policy AS authorization_policy, u.bytes AS bytes",
      { organization },
    );
    const lists = await run(
      "MATCH (p:_Project {organization_id: $organization}) MATCH (g:_ProjectNames {key: p.id + '/names'}) WHERE g.count_time IS NOT NULL RETURN p.id AS id, g.node_types AS types",
      { organization },
    );
    return {
      sizes: Object.fromEntries(records.map(({ id, bytes }) => [id, bytes])),
      usage: Object.fromEntries(counts.map(({ id, ...more }) => [id, more])),
      names: Object.fromEntries(lists.map(({ id, types }) => [id, types])),
    };
  };
  return {
    graph,
    run,
    expected: { sizes, usage, names },
    found,
    claim: async () => {
      const [row] = await run("MATCH (c:_Claim {key: 'database'}) RETURN properties(c) AS claim");
      return row?.["claim"] as Readonly<Record<string, unknown>>; // properties of a node
    },
    removeVersion,
    remove: async () => {
      await run(
        "MATCH (p:_Project {organization_id: $organization}) MATCH (n:_Node) WHERE n._key STARTS WITH p.pk + '/' DETACH DELETE n",
        { organization },
      );
      await run(
        "MATCH (p:_Project {organization_id: $organization}) MATCH (x) WHERE x:_RecordUsage AND x.key = p.id OR x:_ProjectNames AND x.key = p.id + '/names' DELETE x",
        { organization },
      );
      await run("MATCH (u:_RecordUsage {key: $organization}) DELETE u", { organization });
      await run("MATCH (r:_Record {organization_id: $organization}) DETACH DELETE r", { organization });
      await run(
        "MATCH (c:_Claim {key: 'database'}) SET c.schema_version = 1, c.schema_readable_from = 0 REMOVE c.migration_holder, c.migration_until, c.migration_epoch, c.migration_step, c.migration_cursor",
      );
      await graph.close();
    },
  };
};
