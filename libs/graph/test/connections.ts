/** Connections of a test's own: to the database of the run, and to ports that talk as the test says. */
import { afterEach } from "@jest/globals";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { connectGraph, type Graph } from "../src/index.ts";

/** How a call fails where the database cannot be used. */
export const unavailable = { code: "unavailable", status: 503, headers: { "Retry-After": "5" } };

/** Opens connections that are closed after each test. */
export const useConnections = () => {
  const open: { graphs: Graph[]; servers: Server[]; sockets: Socket[] } = {
    graphs: [],
    servers: [],
    sockets: [],
  };

  afterEach(async () => {
    for (const socket of open.sockets.splice(0)) socket.destroy();
    for (const server of open.servers.splice(0)) server.close();
    await Promise.all(open.graphs.splice(0).map((graph) => graph.close()));
  });

  const graphAt = (settings: object): Graph => {
    const graph = connectGraph({ ...neo4jOfTests(), ...settings });
    open.graphs.push(graph);
    return graph;
  };

  /** A port that takes connections and hands each to `talk`. */
  const listen = async (talk: (socket: Socket) => void): Promise<number> => {
    const server = createServer((socket) => {
      open.sockets.push(socket);
      socket.on("error", () => undefined);
      talk(socket);
    });
    open.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port; // listening on TCP
  };

  return { open, graphAt, listen };
};
