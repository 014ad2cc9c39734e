import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  type Authority,
  type Certificate,
  makeAuthority,
} from "../../../stack/src/testing/servers/certificates.ts";
import { tlsFault } from "../../tls/src/index.ts";
import { openEgress } from "./egress.ts";

const trusted = getCACertificates();
const egress = openEgress({ allowHttp: false, allowHosts: ["localhost"], allowCidrs: ["127.0.0.0/8"] });
let authority: Authority;
let stranger: Authority;

beforeAll(async () => {
  [authority, stranger] = [await makeAuthority(), await makeAuthority()];
  // As NODE_EXTRA_CA_CERTS does at the start of a process.
  setDefaultCACertificates([...trusted, readFileSync(authority.ca, "utf8")]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await egress.close();
  for (const each of [authority, stranger]) each.remove();
});

/** @returns the answer of a server with this certificate, or why there is none. */
const ask = async ({ certificate, key }: Certificate): Promise<unknown> => {
  const server = createServer(
    { cert: readFileSync(certificate), key: readFileSync(key) },
    (_request, response) => response.setHeader("Content-Type", "application/json").end('{"issuer":"x"}'),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of TCP
  try {
    return await egress.getJson(`https://localhost:${port}/`);
  } catch (error) {
    return [Reflect.get(Object(error), "reason"), tlsFault(error)];
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

describe("an issuer or resolver with a certificate of a private authority", () => {
  it("is asked when the process trusts the authority", async () => {
    expect(await ask(await authority.issue("good", ["DNS:localhost"]))).toEqual({ issuer: "x" });
  });

  it.each([
    [
      "of another authority",
      () => stranger.issue("s", ["DNS:localhost"]),
      "its certificate is from an authority that is not trusted here",
    ],
    ["that has expired", () => authority.issue("old", ["DNS:localhost"], -1), "its certificate has expired"],
    [
      "for another host",
      () => authority.issue("other", ["DNS:elsewhere"]),
      "its certificate is for other host names",
    ],
  ])("is not asked with one %s", async (_what, issue, fault) => {
    expect(await ask(await issue())).toEqual(["upstream_unreachable", fault]);
  });
});
