import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { connectGraph, type Graph } from "@ikg/graph";
import { type FaultyProxy, openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { type Answer, freshName, type Made, type Tenant } from "./tenant.ts";

export let configs: ConfigsUnderTest;

export let tenant: Tenant;

let second: Graph;

export let proxy: FaultyProxy;

export const address = new URL(requireVariable("SECOND_NEO4J_URI"));

export const username = requireVariable("SECOND_NEO4J_USERNAME");

export const password = requireVariable("SECOND_NEO4J_PASSWORD");

const options = { timeoutMs: 80_000 };

export const inSecond = (text: string, params: Record<string, unknown> = {}) =>
  second.shared.write((tx) => tx.run(text, params), options);

export const inShared = (text: string, params: Record<string, unknown> = {}) =>
  configs.graph.shared.write((tx) => tx.run(text, params), options);

// A claim outlives its project for a while; each test finds the second database as a new one.
export const empty = () => inSecond("MATCH (n) DETACH DELETE n");

export const connection = (more: object = {}) => ({
  url: `bolt://127.0.0.1:${proxy.port}`,
  username,
  password,
  ...more,
});

export const create = (db_connection: object): Promise<Made> =>
  tenant.make("/projects", { organization_id: tenant.organization, name: freshName(), db_connection });

export const read = async (id: string): Promise<Answer["body"]> =>
  (await tenant.send("GET", `/projects/${id}`)).body;

export const put = (id: string, db_connection: unknown): Promise<Answer> =>
  tenant.send("PUT", `/projects/${id}`, { db_connection });

/** Gives the tests of a file a running service and a second database server, which is empty before each test. */
export const useSecondDatabase = (): void => {
  beforeAll(async () => {
    configs = await startConfigs({
      DB_ALLOW_CIDRS: "127.0.0.0/8",
      DB_ALLOW_HOSTS: "localhost",
      // Tests make data of older versions; only those of migrations have it migrated.
      MIGRATION_DELAY_SECONDS: "86400",
    });
    tenant = await configs.tenant();
    second = connectGraph({ uri: address.href, username, password });
    proxy = await openFaultyProxy({ host: address.hostname, port: Number(address.port) });
    // The first statements of a server that has just started take as long as an attempt may.
    await inSecond("CREATE CONSTRAINT warm IF NOT EXISTS FOR (n:Warm) REQUIRE n.key IS UNIQUE");
    await inSecond("DROP CONSTRAINT warm");
    for (const text of ["SHOW INDEXES", "CALL db.awaitIndexes(5)", "MERGE (n:Warm {key: 1})"])
      await inSecond(text);
  }, 60_000);
  afterAll(async () => {
    await configs.close();
    await second.close();
    await proxy.close();
  });
  beforeEach(() => void (proxy.state = "through"));
  beforeEach(empty);
  afterEach(empty);
};
