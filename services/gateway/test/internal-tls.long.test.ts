import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type Authority, makeAuthority } from "../../../stack/src/testing/servers/certificates.ts";
import type { GatewayProcess } from "./gateway-process.ts";
import { gatewayWith, tenant, useGatewaysBySettings } from "./gateways-by-settings.ts";

useGatewaysBySettings();

let authority: Authority;
let stranger: Authority;
let key: string;
const servers: Server[] = [];

/**
 * Starts a service that answers with the name of the certificate that the gateway showed.
 *
 * @param issuer of its own certificate.
 */
const startService = async (issuer: Authority): Promise<string> => {
  const { certificate, key: keyFile } = await issuer.issue("service", ["DNS:localhost"]);
  const server = createServer(
    {
      cert: readFileSync(certificate),
      key: readFileSync(keyFile),
      ca: readFileSync(authority.ca),
      requestCert: true,
    },
    (request, response) => {
      const { CN: name } = (request.socket as TLSSocket).getPeerCertificate().subject;
      request.resume().on("end", () => {
        response.setHeader("X-Request-ID", request.headers["x-request-id"] ?? "");
        response.setHeader("Content-Type", "application/json").end(JSON.stringify({ caller: name }));
      });
    },
  );
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `https://localhost:${(server.address() as AddressInfo).port}`; // of TCP
};

beforeAll(async () => {
  [authority, stranger] = [await makeAuthority(), await makeAuthority()];
  key = (await tenant.key(await tenant.agent(["Authorization", "ContXIQ"]))).token;
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  for (const each of [authority, stranger]) each.remove();
});

const ask = async ({ url }: GatewayProcess, path: string) => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "X-SVC-ClientKey": key, "Content-Type": "application/json" },
    body: "{}",
  });
  return [response.status, await response.json()];
};

describe("a gateway that calls services by TLS", () => {
  it("shows them its certificate, and sends nothing to one with a certificate of another authority", async () => {
    const own = await authority.issue("gateway", ["DNS:gateway"]);
    const [trusted, untrusted] = [await startService(authority), await startService(stranger)];
    // It listens without TLS itself.
    const gateway = await gatewayWith({
      UPSTREAM_CONFIGS: trusted,
      UPSTREAM_CAPTURE: trusted,
      UPSTREAM_ACCESS: trusted,
      UPSTREAM_CIQ: untrusted,
      INTERNAL_TLS_CERTIFICATE: own.certificate,
      INTERNAL_TLS_KEY: own.key,
      INTERNAL_TLS_CA: authority.ca,
    });
    expect(await ask(gateway, "/access/v1/evaluation")).toEqual([200, { caller: "gateway" }]);
    for (let turn = 0; turn < 3; turn++)
      expect(await ask(gateway, "/ciq/v1/execute")).toMatchObject([503, {}]);
    const found = await eventually(
      () => gateway.logs.filter(({ upstream, level }) => upstream === "ciq" && level === "error"),
      (lines) => lines.length > 0,
      { withinMs: 3_000, everyMs: 20 },
    );
    expect(found.map(({ msg }) => msg)).toEqual([
      "no TLS connection to ciq: its certificate is from an authority that is not trusted here; see INTERNAL_TLS_* and UPSTREAM_CIQ",
    ]);
  });
});
