import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type Authority, makeAuthority } from "../../../stack/src/testing/servers/certificates.ts";
import { type GatewayProcess, startGateway } from "./gateway-process.ts";
import { key, useGateway } from "./gateway-under-test.ts";

useGateway();

let authority: Authority;
let stranger: Authority;
let access: Server;
let url: string;

/** A service that answers with the name of the certificate that the gateway showed. */
const startAccess = async (): Promise<void> => {
  const { certificate, key: keyFile } = await authority.issue("access", ["DNS:localhost"]);
  access = createServer(
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
  access.listen(0, "127.0.0.1");
  await once(access, "listening");
  url = `https://localhost:${(access.address() as AddressInfo).port}`; // of TCP
};

beforeAll(async () => {
  [authority, stranger] = [await makeAuthority(), await makeAuthority()];
  await startAccess();
});
afterAll(() => {
  access.closeAllConnections();
  access.close();
  for (const each of [authority, stranger]) each.remove();
});

/** Asks a gateway that trusts an authority, and has a certificate of the test. */
const ask = async <T>(ca: string, work: (gateway: GatewayProcess) => Promise<T>): Promise<T> => {
  const own = await authority.issue("gateway", ["DNS:gateway"]);
  const gateway = await startGateway({
    UPSTREAM_CONFIGS: url,
    UPSTREAM_CAPTURE: url,
    UPSTREAM_ACCESS: url,
    UPSTREAM_CIQ: url,
    DRAIN_DELAY_MS: "0",
    INTERNAL_TLS_CERTIFICATE: own.certificate,
    INTERNAL_TLS_KEY: own.key,
    INTERNAL_TLS_CA: ca,
  });
  try {
    return await work(gateway);
  } finally {
    await gateway.stop();
  }
};

const evaluate = async (gateway: GatewayProcess) => {
  const response = await fetch(`${gateway.url}/access/v1/evaluation`, {
    method: "POST",
    headers: { "X-SVC-ClientKey": key, "Content-Type": "application/json" },
    body: "{}",
  });
  return [response.status, await response.json()];
};

describe("a gateway that calls services by TLS", () => {
  it("shows them its certificate, and listens without TLS itself", async () => {
    expect(await ask(authority.ca, evaluate)).toEqual([200, { caller: "gateway" }]);
  });

  it("sends nothing to one with a certificate of another authority, and logs one line", async () => {
    const lines = await ask(stranger.ca, async (gateway) => {
      for (let turn = 0; turn < 3; turn++) expect(await evaluate(gateway)).toMatchObject([503, {}]);
      const found = await eventually(
        () => gateway.logs.filter(({ upstream, level }) => upstream === "access" && level === "error"),
        (lines) => lines.length > 0,
        { withinMs: 3_000, everyMs: 20 },
      );
      return found.map(({ msg }) => msg);
    });
    expect(lines).toEqual([
      "no TLS connection to access: its certificate is from an authority that is not trusted here; see INTERNAL_TLS_* and UPSTREAM_ACCESS",
    ]);
  });
});
