import { eventually } from "../../../stack/src/testing/eventually.ts";
import { gatewayOfTests } from "../../../stack/src/testing/internal-contexts.ts";
import { signInternalContext } from "@ikg/auth";
import { changesChannel, type Gid, newGid } from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import {
  graphRemovalLabel,
  keyField,
  nodeLabel,
  partOf,
  recordLabel,
  recordLabels,
  versionLabel,
} from "@ikg/physical";
import { graphSettings } from "@ikg/service";
import { Redis } from "ioredis";
import { openConfigs } from "../src/service.ts";
import { ConfigsSettings } from "../src/settings.ts";
import { environmentOfTest } from "./environment.ts";
import { type Tenant, tenantOf } from "./tenant.ts";

export interface ConfigsUnderTest {
  readonly graph: Graph;
  readonly url: string;
  /** With it, another process is one of the same deployment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly pepper: Buffer;
  tenant(): Promise<Tenant>;
  /** Announcements received since the start. */
  readonly changes: readonly Record<string, unknown>[];
  /** The announcements about a record, once there are that many; within 2 s, as long as a change may take. */
  changesOf(id: string, count: number): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

const options = { timeoutMs: 80_000 };

/** Writes an organization and the account that acts for it. */
const createOrganization = async (graph: Graph): Promise<{ organization: Gid; account: Gid }> => {
  const organization = newGid("organization");
  const account = newGid("service_account");
  const now = new Date().toISOString();
  const fields = {
    id: organization,
    kind: "organization",
    organization_id: organization,
    name: "test",
    version: 1,
    etag: "e",
    create_time: now,
    update_time: now,
    created_by: account,
    updated_by: account,
    data: "{}",
  };
  // Its owner, as the operator's command makes it: an organization cannot lose its last one.
  const owner = {
    ...fields,
    id: account,
    kind: "service_account",
    parent_id: organization,
    name: "bootstrap",
    data: JSON.stringify({ role: "all_editor" }),
  };
  await graph.shared.write(
    (tx) =>
      tx.run(
        `CREATE (o:${recordLabel}:${recordLabels.organization}) SET o = $fields ` +
          `CREATE (a:${recordLabel}:${recordLabels.service_account})-[:${partOf}]->(o) SET a = $owner`,
        { fields, owner },
      ),
    options,
  );
  return { organization, account };
};

/** Removes what the organizations of a test have left in the database. */
interface Cleaner {
  readonly organizations: Gid[];
  /** Project keys outlive their records; data is removed by them. */
  noteKeys(this: void): Promise<void>;
  removeAll(): Promise<void>;
}

const openCleaner = (graph: Graph): Cleaner => {
  const organizations: Gid[] = [];
  const keys = new Set<string>();
  return {
    organizations,
    noteKeys: async () => {
      const rows = await graph.shared.read(
        `MATCH (p:${recordLabels.project}) WHERE p.organization_id IN $organizations AND p.pk IS NOT NULL RETURN p.pk AS pk`,
        { organizations },
        options,
      );
      for (const row of rows) keys.add(String(row["pk"]));
    },
    removeAll: () =>
      graph.shared.write(async (tx) => {
        const pks = [...keys];
        // By key, not by label: one text, and one plan of the database, for all projects.
        await tx.run(
          `UNWIND $prefixes AS prefix MATCH (n:${nodeLabel}) WHERE n.${keyField} STARTS WITH prefix DETACH DELETE n`,
          { prefixes: pks.map((pk) => `${pk}/`) },
        );
        await tx.run(`UNWIND $pks AS pk MATCH (n:${graphRemovalLabel} {pk: pk}) DELETE n`, { pks });
        for (const label of [recordLabel, versionLabel, graphRemovalLabel])
          await tx.run(`MATCH (r:${label}) WHERE r.organization_id IN $organizations DETACH DELETE r`, {
            organizations,
          });
      }, options),
  };
};

/** Subscribes to announcements; other tests share the channel, one of them with messages that are no JSON. */
const collectChanges = async (redisUrl: string) => {
  const changes: Record<string, unknown>[] = [];
  const subscriber = new Redis(redisUrl);
  subscriber.on("message", (_channel, message) => {
    if (message.startsWith("{")) changes.push(JSON.parse(message) as Record<string, unknown>);
  });
  await subscriber.subscribe(changesChannel);
  return { changes, close: () => subscriber.disconnect() };
};

/** Starts the service in this process, on a free port, on the Neo4j and Redis of the environment. */
export const startConfigs = async (
  more: Readonly<Record<string, string>> = {},
): Promise<ConfigsUnderTest> => {
  const environment = { ...environmentOfTest(), ...more };
  const settings = ConfigsSettings.parse(environment);
  const service = await openConfigs(settings);
  const { port } = await service.listen();
  const url = `http://127.0.0.1:${port}`;
  const sign = signInternalContext(gatewayOfTests.privateKey, "gateway");
  const graph = connectGraph(graphSettings(settings));
  const cleaner = openCleaner(graph);
  const { changes, close: unsubscribe } = await collectChanges(settings.REDIS_URL);
  return {
    graph,
    url,
    environment,
    pepper: settings.CREDENTIAL_PEPPER,
    changes,
    changesOf: (id, count) =>
      eventually(
        () => changes.filter((change) => change["id"] === id),
        (about) => about.length >= count,
        { withinMs: 2_000, everyMs: 10 },
      ),
    tenant: async () => {
      const { organization, account } = await createOrganization(graph);
      cleaner.organizations.push(organization);
      return tenantOf({ organization, account, role: "all_editor", url }, sign, cleaner.noteKeys);
    },
    close: async () => {
      await cleaner.noteKeys();
      await service.close();
      await cleaner.removeAll();
      await graph.close();
      unsubscribe();
    },
  };
};
