import { afterEach, beforeEach, expect, it } from "@jest/globals";
import type { ResolveHost } from "./guarded-driver.ts";
import { openOwnDatabases, type OwnDatabases } from "./own-databases.ts";

let databases: OwnDatabases;
let resolve: ResolveHost;
beforeEach(() => {
  resolve = (host) => Promise.resolve(host);
  databases = openOwnDatabases({
    queue: { queueLength: 1, queueMs: 1 },
    hooks: {},
    resolve: (host) => resolve(host),
    schemaAgeMs: 60_000,
  });
});
afterEach(() => databases.close());

/** Nothing is sent: a driver connects with its first statement. */
const openFor = (id: string, organizationId: string): void => {
  const connection = { url: `bolt://${id}.test:7687`, username: "neo4j", password: "secret" };
  databases.of({ id, organizationId, pk: "", connection }, undefined, "query");
};

it("keeps the databases of an organization open, however many another one opens", () => {
  openFor("quiet", "small");
  const [quiet] = databases.schedulers();
  for (let at = 0; at < 250; at++) openFor(`p${at}`, "large");
  expect(databases.schedulers()).toHaveLength(200);
  expect(databases.schedulers()).toContain(quiet);
});

it("closes the one that was used longest ago where no organization has more than half of them", () => {
  for (let at = 0; at < 200; at++) openFor(`p${at}`, `o${at % 50}`);
  const [first, second] = databases.schedulers();
  openFor("p0", "o0");
  openFor("next", "another");
  expect(databases.schedulers()).toHaveLength(200);
  expect(databases.schedulers()).toContain(first);
  expect(databases.schedulers()).not.toContain(second);
});

it("are unavailable where their host is not allowed, and say so", async () => {
  resolve = () => Promise.reject(new Error("closed"));
  const connection = { url: "bolt://own.test:7687", username: "neo4j", password: "secret" };
  const database = databases.ofAnyVersion({ id: "p", pk: "", connection }, undefined, "query");
  await expect(database.read("RETURN 1 AS one", {}, { timeoutMs: 10_000 })).rejects.toMatchObject({
    code: "unavailable",
    cause: { name: "HostNotAllowedError" },
  });
});
