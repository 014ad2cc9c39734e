import { copyFileSync, readFileSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import { createServer as createGatewayServer } from "node:http";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { TLSSocket } from "node:tls";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { beginRequestContext } from "@ikg/service";
import { openTlsFiles, tlsFault, type TlsFiles } from "@ikg/tls";
import {
  type Authority,
  type Certificate,
  makeAuthority,
} from "../../../../stack/src/testing/servers/certificates.ts";
import { openUpstream } from "./upstream.ts";
import type { UpstreamFailure } from "./upstream-failure.ts";

const limits = { body: 1_000, bodyMs: 1_000, waitMs: 3_000 };
const closers: (() => Promise<unknown>)[] = [];

let [authority, stranger]: readonly Authority[] = [];
let good: Certificate;

const of = (each: Authority | undefined): Authority => {
  if (each === undefined) throw new Error("no authority");
  return each;
};

beforeAll(async () => {
  [authority, stranger] = [await makeAuthority(), await makeAuthority()];
  good = await authority.issue("good", ["DNS:localhost"]);
});
afterAll(() => [authority, stranger].forEach((each) => each?.remove()));
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const certificates = new Map<string, Promise<Certificate>>();

/** Issues a certificate of this name once for all tests. */
const certificateOf = (
  issuer: Authority | undefined,
  name: string,
  hosts: readonly string[],
  days?: number,
): Promise<Certificate> => {
  const certificate = certificates.get(name) ?? of(issuer).issue(name, hosts, days);
  certificates.set(name, certificate);
  return certificate;
};

const listening = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return (server.address() as AddressInfo).port; // of TCP
};

/** A service that answers with the name of the certificate that it was shown. */
const answer: RequestListener = (request, response) => {
  const { socket } = request;
  const shown =
    socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().subject.CN : "";
  response.setHeader("X-Request-ID", "1");
  response.end(`${request.headers.host} ${String(shown)}`);
};

const startServer = async ({ certificate, key }: Certificate, ca: string): Promise<number> =>
  listening(
    createServer(
      {
        cert: readFileSync(certificate),
        key: readFileSync(key),
        ca: readFileSync(ca),
        requestCert: true,
        rejectUnauthorized: false,
      },
      answer,
    ),
  );

const filesOf = async (ca: string, own?: Certificate, intervalMs?: number): Promise<TlsFiles> => {
  const named = (path: string) => ({ setting: "FILE", path });
  const files = await openTlsFiles({
    paths: {
      ca: named(ca),
      ...(own === undefined ? {} : { certificate: named(own.certificate), key: named(own.key) }),
    },
    onFault: () => undefined,
    ...(intervalMs === undefined ? {} : { intervalMs }),
  });
  closers.push(async () => files.close());
  return files;
};

/** Sends requests to a service by both ways of the gateway. */
const startFront = async (target: string, files: TlsFiles | undefined) => {
  const errors: Error[] = [];
  const sockets = { pooled: 4, streaming: 4 };
  const upstream = openUpstream(target, sockets, { files, onError: (error) => void errors.push(error) });
  const port = await listening(
    createGatewayServer((request, response) => {
      beginRequestContext(request, response);
      const headers = ["host", request.headers.host ?? ""];
      upstream
        .transport(request, request.url === "/stream")
        .forward(request, headers, response, limits)
        .catch((failure: UpstreamFailure) => response.writeHead(502).end(failure.kind));
    }),
  );
  closers.push(async () => upstream.close());
  return {
    faults: () => errors.map((error) => tlsFault(error)),
    ask: async (path: string, host = "ikg.example.com"): Promise<string> => {
      const { request } = await import("node:http");
      const sent = request({ port, host: "127.0.0.1", path, headers: { host }, agent: false }).end();
      const [response] = (await once(sent, "response")) as [AsyncIterable<Buffer>]; // of http
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    },
  };
};

describe.each(["/", "/stream"])("a service with TLS, asked for %s", (path) => {
  it("is trusted with a certificate of the authority for the host of its address, whatever Host a caller sends", async () => {
    const port = await startServer(good, of(authority).ca);
    const own = await certificateOf(authority, "gateway", ["DNS:gateway"]);
    const front = await startFront(`https://localhost:${port}`, await filesOf(of(authority).ca, own));
    expect(await front.ask(path)).toBe("ikg.example.com gateway");
    expect(await front.ask(path, "other.example.com")).toBe("other.example.com gateway");
    expect(front.faults()).toEqual([]);
  });

  it("is trusted by its address as well", async () => {
    const port = await startServer(await certificateOf(authority, "ip", ["IP:127.0.0.1"]), of(authority).ca);
    const front = await startFront(`https://127.0.0.1:${port}`, await filesOf(of(authority).ca));
    expect(await front.ask(path)).toBe("ikg.example.com ");
  });

  it.each([
    [
      "of another authority",
      () => certificateOf(stranger, "w", ["DNS:localhost"]),
      "its certificate is from an authority that is not trusted here",
    ],
    [
      "that has expired",
      () => certificateOf(authority, "x", ["DNS:localhost"], -1),
      "its certificate has expired",
    ],
    [
      "for another host",
      () => certificateOf(authority, "h", ["DNS:access"]),
      "its certificate is for other host names",
    ],
  ])("is refused with a certificate %s, and nothing is sent", async (_what, issue, fault) => {
    const port = await startServer(await issue(), of(authority).ca);
    const front = await startFront(`https://localhost:${port}`, await filesOf(of(authority).ca));
    expect(await front.ask(path, "localhost")).toBe("not_sent");
    expect(front.faults()).toEqual([fault]);
  });

  it("is refused when it does not speak TLS", async () => {
    const port = await listening(createGatewayServer(answer));
    const front = await startFront(`https://localhost:${port}`, await filesOf(of(authority).ca));
    expect(await front.ask(path)).toBe("not_sent");
    expect(front.faults()).toEqual(["it does not speak TLS"]);
  });

  it("is called with new certificates without a restart", async () => {
    const port = await startServer(good, of(authority).ca);
    const [one, other] = [
      await of(authority).issue("one", ["DNS:gateway"]),
      await of(authority).issue("two", ["DNS:gateway"]),
    ];
    const files = await filesOf(of(authority).ca, one, 20);
    const front = await startFront(`https://localhost:${port}`, files);
    expect(await front.ask(path)).toBe("ikg.example.com one");
    const changed = new Promise((resolve) => files.onChange(resolve));
    copyFileSync(other.certificate, one.certificate);
    await wait(60);
    copyFileSync(other.key, one.key);
    await changed;
    const shown = [await front.ask(path), await Promise.all([1, 2, 3].map(() => front.ask(path)))].flat();
    expect(shown).toContain("ikg.example.com two");
  });
});
