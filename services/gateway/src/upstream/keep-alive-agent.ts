import { Agent, type AgentOptions } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { isIP, type LookupFunction, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { connectMs, idleMs, lifetimeMs } from "./connection-times.ts";
import { noTls, type UpstreamTls } from "./upstream-tls.ts";

/** A connection that is not made in time fails like one that was refused. */
const limitConnecting = (socket: Socket): void => {
  const timer = setTimeout(() => socket.destroy(new Error("connect timeout")), connectMs);
  const made = socket instanceof TLSSocket ? "secureConnect" : "connect";
  for (const event of [made, "close"]) socket.once(event, () => clearTimeout(timer));
};

/** An agent whose connections have the certificates of now; kept ones keep theirs, for their lifetime at most. */
const newTlsAgent = (options: AgentOptions, hostname: string, { files }: UpstreamTls): TlsAgent => {
  // Node would take the `Host` of a request for the name that the certificate has to have; an address is none.
  const servername = isIP(hostname) === 0 ? hostname : "";
  const agent = new TlsAgent({ ...options, servername, ...files?.current() });
  files?.onChange((material) => Object.assign(agent.options, material));
  return agent;
};

/** Keeps connections while they are idle, and none for longer than its lifetime. */
export const keepAliveAgent = (
  { protocol, hostname }: Pick<URL, "protocol" | "hostname">,
  sockets: number,
  lookup: LookupFunction,
  tls: UpstreamTls = noTls,
): Agent => {
  const options: AgentOptions = {
    keepAlive: true,
    maxSockets: sockets,
    maxFreeSockets: sockets,
    scheduling: "fifo",
    lookup,
  };
  const agent = protocol === "https:" ? newTlsAgent(options, hostname, tls) : new Agent(options);
  const opened = new WeakMap<Duplex, number>();
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (target, callback) => {
    const socket = connect(target, callback);
    if (socket instanceof Socket) {
      opened.set(socket, performance.now());
      limitConnecting(socket);
      socket.once("error", tls.onError);
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
