import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { makeSecrets } from "../../../deploy/helm/ikg/files/make-secrets.mjs";
import { publicKeyOf } from "../signing-keys.ts";

interface Secret {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
  readonly data: Readonly<Record<string, string>>;
}

const bodyOf = async (request: IncomingMessage): Promise<Secret> => {
  const parts = await request.toArray();
  return JSON.parse(Buffer.concat(parts as Buffer[]).toString()) as Secret;
};

/** Secrets as an API server keeps them: a change of another version than the current one is a conflict. */
const serve = (secrets: Map<string, Secret>, conflicts: { left: number }) =>
  createServer((request, response) => {
    const answer = (status: number, body: object = {}): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const name = (request.url ?? "").split("/secrets")[1]?.slice(1) ?? "";
    const found = secrets.get(name);
    const write = async (): Promise<void> => {
      const body = await bodyOf(request);
      if (conflicts.left-- > 0) return answer(409);
      const version = String(Number(found?.metadata.resourceVersion ?? 0) + 1);
      if (request.method === "POST" && secrets.has(body.metadata.name)) return answer(409);
      if (request.method === "PATCH" && body.metadata.resourceVersion !== found?.metadata.resourceVersion)
        return answer(409);
      const key = body.metadata.name ?? name;
      secrets.set(key, {
        metadata: { name: key, resourceVersion: version },
        data: { ...found?.data, ...body.data },
      });
      answer(request.method === "POST" ? 201 : 200);
    };
    if (request.headers.authorization !== "Bearer t") return answer(401);
    if (request.method === "GET") return found ? answer(200, found) : answer(404);
    void write();
  });

const wanted = {
  "ikg-keys": {
    A_KEY: { make: "key" },
    B_SIGNING_KEY: { make: "signing-key" },
    B_PUBLIC_KEYS: { publicOf: "B_SIGNING_KEY" },
  },
  "ikg-stores": {
    USER: { text: "neo4j" },
    PASSWORD: { make: "password" },
    URL: { text: "redis://:$(PASSWORD)@redis:6379" },
  },
} as const;

describe("the Secrets of an installation", () => {
  const secrets = new Map<string, Secret>();
  const conflicts = { left: 0 };
  const server = serve(secrets, conflicts);
  const access = { address: "", token: "t", namespace: "n" };
  const output: string[] = [];
  const run = (): Promise<void> => makeSecrets(access, wanted, (line) => output.push(line));
  const text = (secret: string, name: string): string =>
    Buffer.from(secrets.get(secret)?.data[name] ?? "", "base64").toString();

  beforeEach(async () => {
    secrets.clear();
    output.length = 0;
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    access.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  it("are made where there are none, and their values are not printed", async () => {
    await run();
    expect(Buffer.from(text("ikg-keys", "A_KEY"), "base64")).toHaveLength(32);
    expect(text("ikg-keys", "B_PUBLIC_KEYS")).toBe(publicKeyOf(text("ikg-keys", "B_SIGNING_KEY")));
    expect(text("ikg-stores", "USER")).toBe("neo4j");
    expect(text("ikg-stores", "PASSWORD")).toMatch(/^[0-9a-f]{48}$/);
    expect(text("ikg-stores", "URL")).toBe(`redis://:${text("ikg-stores", "PASSWORD")}@redis:6379`);
    expect(output).toEqual([
      "Secret ikg-keys: made A_KEY, B_SIGNING_KEY, B_PUBLIC_KEYS",
      "Secret ikg-stores: made USER, PASSWORD, URL",
    ]);
  });

  it("stay as they are", async () => {
    await run();
    const before = structuredClone([...secrets]);
    await run();
    expect([...secrets]).toEqual(before);
    expect(output.slice(2)).toEqual(["Secret ikg-keys: complete", "Secret ikg-stores: complete"]);
  });

  it("get what is missing, made to fit what is there", async () => {
    const data = { PASSWORD: Buffer.from("mine").toString("base64") };
    secrets.set("ikg-stores", { metadata: { name: "ikg-stores", resourceVersion: "7" }, data });
    await run();
    expect(text("ikg-stores", "PASSWORD")).toBe("mine");
    expect(text("ikg-stores", "URL")).toBe("redis://:mine@redis:6379");
  });

  it("are read again after a conflict, and given up at last", async () => {
    conflicts.left = 2;
    await run();
    expect(secrets.size).toBe(2);
    secrets.clear();
    conflicts.left = 10;
    await expect(run()).rejects.toThrow(
      "the Secret ikg-keys was changed by something else during each of 5 attempts",
    );
    conflicts.left = 0;
  });

  it("are not made without the right to", async () => {
    const others = { ...access, token: "other" };
    await expect(makeSecrets(others, wanted, () => undefined)).rejects.toThrow("GET ikg-keys: 401");
  });
});
