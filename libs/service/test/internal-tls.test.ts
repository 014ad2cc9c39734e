import { appendFileSync, copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { Agent, request } from "node:https";
import { connect } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openTlsFiles } from "@ikg/tls";
import { z } from "zod";
import {
  type Authority,
  type Certificate,
  makeAuthority,
} from "../../../stack/src/testing/servers/certificates.ts";
import { route } from "../src/http/route.ts";
import { drainableServer } from "../src/http/server.ts";
import { type Service, startService } from "../src/process/service.ts";
import { agent, contextOf, settings } from "./test-settings.ts";

let authority: Authority;
let stranger: Authority;
let server: Certificate;

beforeAll(async () => {
  [authority, stranger] = [await makeAuthority(), await makeAuthority()];
  server = await authority.issue("access", ["DNS:localhost"]);
});
afterAll(() => [authority, stranger].forEach((each) => each.remove()));

const tlsSettings = (required: boolean) => ({
  ...settings,
  DRAIN_DELAY_MS: 0,
  INTERNAL_TLS_CERTIFICATE: server.certificate,
  INTERNAL_TLS_KEY: server.key,
  INTERNAL_TLS_CA: authority.ca,
  INTERNAL_TLS_REQUIRE_CLIENT_CERTIFICATE: required,
});

const endpoint = route({
  operation: "evaluate",
  method: "post",
  path: "/access/v1/evaluation",
  caller: "agent",
  permission: "Authorization",
  request: z.object({}),
  handle: () => Promise.resolve({ decision: true }),
});

interface Call {
  readonly port: number;
  readonly path?: string;
  readonly own?: Certificate;
  readonly headers?: Record<string, string>;
}

/** @returns the status, and whose certificate the server showed. */
const call = async ({ port, path = "/access/v1/evaluation", own, headers = {} }: Call) => {
  const agentOfCall = new Agent({
    ca: readFileSync(authority.ca),
    ...(own === undefined ? {} : { cert: readFileSync(own.certificate), key: readFileSync(own.key) }),
  });
  const method = path.startsWith("/access") ? "POST" : "GET";
  const sent = request({ host: "localhost", port, path, method, headers, agent: agentOfCall });
  sent.end(method === "POST" ? "{}" : undefined);
  const [response] = (await once(sent, "response")) as [NodeJS.ReadableStream & { statusCode: number }]; // of https
  const shown: PeerCertificate = (sent.socket as TLSSocket).getPeerCertificate();
  response.resume();
  await once(response, "end");
  agentOfCall.destroy();
  return [response.statusCode, shown.subject.CN];
};

const context = async () => ({
  "Content-Type": "application/json",
  ...(await contextOf(agent, "access", ["POST", "/access/v1/evaluation"])),
});

const start = async (required: boolean) => {
  const service: Service = await startService("access", tlsSettings(required));
  service.mount(endpoint);
  const errors: string[] = [];
  service.log.error = ((line: string) => errors.push(line)) as unknown as typeof service.log.error;
  const { port } = await service.listen();
  return { port, errors, close: () => service.close() };
};

describe("a service with a certificate", () => {
  it("speaks TLS, to callers with and without one of their own", async () => {
    const { port, close } = await start(false);
    const headers = await context();
    expect(await call({ port, headers })).toEqual([200, "access"]);
    expect(await call({ port, path: "/readyz" })).toEqual([200, "access"]);
    await close();
  });

  it("serves only callers with a certificate of the authority where that is required, and probes", async () => {
    const { port, errors, close } = await start(true);
    const headers = await context();
    const own = await authority.issue("gateway", ["DNS:gateway"]);
    expect(await call({ port, headers, own })).toEqual([200, "access"]);
    expect(errors).toEqual([]);
    for (const wrong of [
      undefined,
      await stranger.issue("stranger", ["DNS:gateway"]),
      await authority.issue("former", ["DNS:gateway"], -1),
    ]) {
      const shown = wrong === undefined ? {} : { own: wrong };
      expect(await call({ port, headers, ...shown })).toEqual([503, "access"]);
      for (const path of ["/readyz", "/healthz"])
        expect(await call({ port, path, ...shown })).toEqual([200, "access"]);
    }
    // Repeated after 10 s.
    expect([...new Set(errors)]).toEqual([
      "callers without a certificate of INTERNAL_TLS_CA are refused; check that the gateway and mcp have INTERNAL_TLS_CERTIFICATE",
    ]);
    await close();
  });

  it("says in one line that a caller speaks HTTP without TLS", async () => {
    const { port, errors, close } = await start(false);
    for (let turn = 0; turn < 3; turn++) {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.write("POST /access/v1/evaluation HTTP/1.1\r\nHost: x\r\n\r\n");
      await once(socket, "close");
    }
    expect([...new Set(errors)]).toEqual([
      "no TLS connection from a caller: it speaks HTTP without TLS; check that UPSTREAM_* of the gateway and mcp are https addresses",
    ]);
    await close();
  });
});

describe("files of certificates", () => {
  it.each([
    [
      "INTERNAL_TLS_CERTIFICATE",
      () => "/nowhere/tls.crt",
      /^INTERNAL_TLS_CERTIFICATE: \/nowhere\/tls.crt cannot be read \(ENOENT\)$/,
    ],
    [
      "INTERNAL_TLS_CERTIFICATE",
      () => server.key,
      /^INTERNAL_TLS_CERTIFICATE: \S+ is not a PEM certificate$/,
    ],
    [
      "INTERNAL_TLS_KEY",
      () => server.certificate,
      /^INTERNAL_TLS_KEY: \S+ is not an unencrypted PEM private key$/,
    ],
    ["INTERNAL_TLS_CA", () => server.key, /^INTERNAL_TLS_CA: \S+ contains no PEM certificate$/],
    ["INTERNAL_TLS_KEY", () => undefined, /^INTERNAL_TLS_KEY: required with INTERNAL_TLS_CERTIFICATE$/],
    [
      "INTERNAL_TLS_CERTIFICATE",
      () => undefined,
      /^INTERNAL_TLS_CERTIFICATE: required with INTERNAL_TLS_KEY/,
    ],
    [
      "INTERNAL_TLS_CA",
      () => undefined,
      /^INTERNAL_TLS_CA: required with INTERNAL_TLS_REQUIRE_CLIENT_CERTIFICATE$/,
    ],
  ])("end the start with one line: %s (%#)", async (name, file, line) => {
    await expect(startService("access", { ...tlsSettings(true), [name]: file() })).rejects.toThrow(line);
  });

  it("end the start when key and certificate do not belong together, and when it has expired", async () => {
    const other = await authority.issue("other", ["DNS:localhost"]);
    await expect(
      startService("access", { ...tlsSettings(false), INTERNAL_TLS_KEY: other.key }),
    ).rejects.toThrow(/^INTERNAL_TLS_KEY: \S+ is not the key of \S+access.crt$/);
    const old = await authority.issue("old", ["DNS:localhost"], -1);
    await expect(
      startService("access", {
        ...tlsSettings(false),
        INTERNAL_TLS_CERTIFICATE: old.certificate,
        INTERNAL_TLS_KEY: old.key,
      }),
    ).rejects.toThrow(/^INTERNAL_TLS_CERTIFICATE: \S+ is a certificate that has expired \(/);
  });

  it("end the start when a certificate after the first one cannot be read", async () => {
    const broken = await authority.issue("broken", ["DNS:localhost"]);
    appendFileSync(broken.certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    await expect(
      startService("access", {
        ...tlsSettings(false),
        INTERNAL_TLS_CERTIFICATE: broken.certificate,
        INTERNAL_TLS_KEY: broken.key,
      }),
    ).rejects.toThrow(/^INTERNAL_TLS_CERTIFICATE: \S+ cannot be used for TLS \(ERR_OSSL_\w+\)$/);
  });

  it("are read again; those that do not fit together are not used", async () => {
    const [one, two] = [
      await authority.issue("one", ["DNS:localhost"]),
      await authority.issue("two", ["DNS:localhost"]),
    ];
    const faults: string[] = [];
    let onFault = (): void => undefined;
    const faulty = new Promise<void>((resolve) => (onFault = resolve));
    const named = (path: string) => ({ setting: "FILE", path });
    const files = await openTlsFiles({
      paths: { certificate: named(one.certificate), key: named(one.key) },
      intervalMs: 20,
      onFault: ({ message }) => {
        faults.push(message);
        onFault();
      },
    });
    const changed = new Promise((resolve) => files.onChange(resolve));
    const own = drainableServer((_request, response) => void response.end(), {
      tls: { files, onFault: () => undefined },
    });
    const port = await own.listen(0, "127.0.0.1");
    expect(await call({ port, path: "/" })).toEqual([200, "one"]);
    copyFileSync(two.certificate, one.certificate);
    await faulty;
    expect(await call({ port, path: "/" })).toEqual([200, "one"]);
    copyFileSync(two.key, one.key);
    await changed;
    expect(await call({ port, path: "/" })).toEqual([200, "two"]);
    expect(faults).toEqual([`FILE: ${one.key} is not the key of ${one.certificate}`]);
    files.close();
    await own.drain(0, () => undefined);
  });

  it("are not used while a chain is written in part", async () => {
    const one = await authority.issue("part", ["DNS:localhost"]);
    const { promise: fault, resolve } = Promise.withResolvers<string>();
    const named = (path: string) => ({ setting: "FILE", path });
    const files = await openTlsFiles({
      paths: { certificate: named(one.certificate), key: named(one.key) },
      intervalMs: 20,
      onFault: ({ message }) => resolve(message),
    });
    const before = files.current();
    // The first certificate is whole, the next one of the chain is not.
    const part = `${one.certificate}.part`;
    const textOf = (path: string): string => readFileSync(path, "utf8");
    writeFileSync(part, textOf(one.certificate) + textOf(authority.ca).slice(0, 200));
    renameSync(part, one.certificate);
    expect(await fault).toMatch(/^FILE: \S+ cannot be used for TLS \(ERR_OSSL_\w+\)$/);
    expect(files.current()).toBe(before);
    files.close();
  });
});
