import { expect, it } from "@jest/globals";
import { openOwnDatabases } from "./own-databases.ts";

it("keeps the databases of an organization open, however many another one opens", async () => {
  const databases = openOwnDatabases({
    queue: { queueLength: 1, queueMs: 1 },
    hooks: {},
    resolve: (host) => Promise.resolve(host),
    schemaAgeMs: 60_000,
  });
  const openFor = (id: string, organizationId: string): void => {
    // Nothing is sent: a driver connects with its first statement.
    const connection = { url: `bolt://${id}.test:7687`, username: "neo4j", password: "secret" };
    databases.of({ id, organizationId, pk: "", connection }, undefined, "query");
  };
  try {
    openFor("quiet", "small");
    const [quiet] = databases.schedulers();
    for (let at = 0; at < 250; at++) openFor(`p${at}`, "large");
    expect(databases.schedulers()).toHaveLength(200);
    expect(databases.schedulers()).toContain(quiet);
  } finally {
    await databases.close();
  }
});
