import { once } from "node:events";
import { readFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { type AddressInfo, connect } from "node:net";
import { createServer, type Server } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { freePort } from "../../../stack/src/ports.ts";
import {
  type Authority,
  type Certificate,
  makeAuthority,
} from "../../../stack/src/testing/servers/certificates.ts";
import { runService } from "../../../stack/src/testing/servers/run-service.ts";
import { startServiceProcess } from "../../../stack/src/testing/servers/service-process.ts";
import type { TestProcess } from "../../../stack/src/testing/servers/test-process.ts";
import { startRedisProgram } from "../../../stack/src/testing/servers/test-redis.ts";
import { neo4jVariables, requireVariable } from "../../../stack/src/testing/test-environment.ts";

/** Stores with certificates of a private authority, which a process trusts by NODE_EXTRA_CA_CERTS. */
let authority: Authority;
let stranger: Authority;
const redis: TestProcess[] = [];
const fronts: Server[] = [];

beforeAll(async () => {
  [authority, stranger] = [await makeAuthority(), await makeAuthority()];
});
afterAll(async () => {
  await Promise.all(redis.map((each) => each.end("SIGKILL")));
  for (const each of fronts) each.close();
  for (const each of [authority, stranger]) each.remove();
});

const good = () => authority.issue("good", ["DNS:localhost"]);

/** A Redis that speaks TLS alone on this address. */
const startTlsRedis = async ({ certificate, key }: Certificate): Promise<string> => {
  const port = await freePort();
  const files = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", authority.ca];
  const tls = ["--tls-port", String(port), ...files, "--tls-auth-clients", "no"];
  redis.push(await startRedisProgram(await freePort(), [...tls, "--save", ""]));
  return `rediss://localhost:${port}`;
};

/** The Neo4j of the tests behind TLS. */
const startTlsNeo4j = async ({ certificate, key }: Certificate): Promise<string> => {
  const { hostname, port } = new URL(requireVariable("NEO4J_URI"));
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (socket) => {
    const to = connect(Number(port || 7687), hostname);
    for (const each of [to, socket]) each.on("error", () => [to, socket].forEach((both) => both.destroy()));
    socket.pipe(to).pipe(socket);
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  fronts.push(server);
  return `bolt+s://localhost:${(server.address() as AddressInfo).port}`; // of TCP
};

/** What the trust scorer needs; it serves no requests, and scores nothing here. */
const settings = () => ({
  ...neo4jVariables(),
  REDIS_URL: requireVariable("REDIS_URL"),
  CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  TRUST_CONCURRENCY: "0",
  DRAIN_DELAY_MS: "0",
  NODE_EXTRA_CA_CERTS: authority.ca,
});

const wrong: readonly (readonly [string, () => Promise<Certificate>, string])[] = [
  [
    "of another authority",
    () => stranger.issue("stranger", ["DNS:localhost"]),
    "its certificate is from an authority that is not trusted here",
  ],
  ["that has expired", () => authority.issue("old", ["DNS:localhost"], -1), "its certificate has expired"],
  [
    "for another host",
    () => authority.issue("other", ["DNS:elsewhere"]),
    "its certificate is for other host names",
  ],
];

describe("stores with TLS", () => {
  it("are used with certificates of an authority that the process trusts", async () => {
    const [NEO4J_URI, REDIS_URL] = [await startTlsNeo4j(await good()), await startTlsRedis(await good())];
    const { running } = await startServiceProcess("trust-scorer", { ...settings(), NEO4J_URI, REDIS_URL });
    await running.end();
  });

  it.each(wrong)(
    "end the start at once, with one line, with a certificate %s",
    async (_what, issue, fault) => {
      const certificate = await issue();
      const of = async (variable: string, address: string) => {
        const { code, lines } = await runService("trust-scorer", { ...settings(), [variable]: address });
        return [code, lines.at(-1)?.["msg"]];
      };
      const line = (variable: string, store: string): string =>
        `${variable}: no TLS connection to ${store}: ${fault}; see "TLS to each store" in docs/operations.md`;
      expect(await of("REDIS_URL", await startTlsRedis(certificate))).toEqual([
        1,
        line("REDIS_URL", "redis"),
      ]);
      expect(await of("NEO4J_URI", await startTlsNeo4j(certificate))).toEqual([
        1,
        line("NEO4J_URI", "neo4j"),
      ]);
    },
  );
});
