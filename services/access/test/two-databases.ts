/** Two database servers, for projects that have a database of their own. */
import { afterAll, beforeAll } from "@jest/globals";
import { connectGraph, type Connection, type Graph } from "@ikg/graph";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";

const options = { timeoutMs: 80_000 };

const connectionOf = (prefix: string): Connection => ({
  url: requireVariable(`${prefix}NEO4J_URI`),
  username: requireVariable(`${prefix}NEO4J_USERNAME`),
  password: requireVariable(`${prefix}NEO4J_PASSWORD`),
});

export const firstConnection = connectionOf("");
export const secondConnection = connectionOf("SECOND_");

/** The default database is on one server, the constituent of the south on another. */
export let graph: Graph;
export let south: Graph;

/** Deletes the nodes of projects that have a database of their own. */
const clear = async (): Promise<void> => {
  for (const { shared } of [graph, south])
    await shared.write(
      (tx) => tx.run("MATCH (n:_Node) WHERE n._key STARTS WITH '/' DETACH DELETE n", {}),
      options,
    );
};

/** Connects to both servers before the tests of a file, which find them empty, and empties them afterwards. */
export const useTwoDatabases = (): void => {
  beforeAll(async () => {
    graph = connectGraph({ ...firstConnection, uri: firstConnection.url }, {}, async (host) => host);
    south = connectGraph({ ...secondConnection, uri: secondConnection.url });
    for (let tries = 1; tries < 5; tries++)
      if (
        await clear().then(
          () => true,
          () => false,
        )
      )
        break; // a server that has just started takes its time
  }, 120_000);
  afterAll(async () => {
    await clear();
    await graph.close();
    await south.close();
  });
};
