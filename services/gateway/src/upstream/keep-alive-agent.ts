import { Agent, type AgentOptions } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { type LookupFunction, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connectMs, idleMs, lifetimeMs } from "./connection-times.ts";

/** A connection that is not made in time fails like one that was refused. */
const limitConnecting = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(new Error("connect timeout")), connectMs);
  for (const event of ["connect", "close"]) socket.once(event, () => clearTimeout(timer));
};

/** Keeps connections while they are idle, and none for longer than its lifetime. */
export const keepAliveAgent = (protocol: string, sockets: number, lookup: LookupFunction): Agent => {
  const options: AgentOptions = {
    keepAlive: true,
    maxSockets: sockets,
    maxFreeSockets: sockets,
    scheduling: "fifo",
    lookup,
  };
  const agent = protocol === "https:" ? new TlsAgent(options) : new Agent(options);
  const opened = new WeakMap<Duplex, number>();
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (target, callback) => {
    const socket = connect(target, callback);
    if (socket instanceof Socket) {
      opened.set(socket, performance.now());
      limitConnecting(socket);
    }
    return socket;
  };
  const keep: (socket: Duplex) => unknown = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    const left = lifetimeMs - (performance.now() - (opened.get(socket) ?? 0));
    if (left <= 0 || keep(socket) !== true) return false;
    // The agent closes an idle connection when its timeout passes.
    if (socket instanceof Socket) socket.setTimeout(Math.min(left, idleMs));
    return true;
  };
  return agent;
};
