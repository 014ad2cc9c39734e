import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Redis } from "ioredis";
import { newGid } from "@ikg/contracts";
import type { Database, Graph, Row } from "@ikg/graph";
import { hashCredential, newCredential } from "./credential.ts";
import { type CredentialParts, type Credentials, openCredentials } from "./credentials.ts";
import { Subscriber } from "../test/subscriber.ts";

const pepper = Buffer.alloc(32, 1);
const agent = newGid("application_agent");
const project = newGid("project");
const { token, kid } = newCredential("ak1");
const row = (expires?: string): Row => ({
  kid,
  kind: "application_agent_credential",
  token_hash: hashCredential(token, pepper),
  expire_time: expires ?? null,
  agent_id: agent,
  agent_data: '{"api_permissions":["Capture"]}',
  application_id: newGid("application"),
  project_id: project,
  project_organization_id: newGid("organization"),
});

let now: number;
let readCount: number;
/** Key ids of every statement. */
let batches: unknown[][];
let answer: () => Promise<Row[]>;
let subscriber: Subscriber;
let credentials: Credentials;
let parts: () => CredentialParts;

beforeEach(async () => {
  now = 1_800_000_000_000;
  readCount = 0;
  batches = [];
  answer = () => Promise.resolve([row()]);
  subscriber = new Subscriber();
  const shared: Database = {
    read: (_text, { kids }) => {
      readCount++;
      batches.push(Array.isArray(kids) ? kids : []);
      return answer();
    },
    write: () => Promise.reject(new Error("not used")),
    writeOnce: () => Promise.reject(new Error("not used")),
    readRow: () => Promise.reject(new Error("not used")),
  };
  const graph: Graph = {
    shared,
    of: () => shared,
    ofAnyVersion: () => shared,
    release: () => undefined,
    checkSchema: () => Promise.resolve(),
    ready: () => Promise.resolve(true),
    prepare: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  parts = () => ({
    graph,
    // The double has the members of a subscriber connection, which is all that is asked of it.
    redis: { duplicate: () => subscriber } as unknown as Redis,
    pepper,
    log: { warn: () => undefined },
    now: () => now,
  });
  credentials = openCredentials(parts());
  await subscriber.connect();
});

afterEach(() => credentials.close());

const refused = { code: "client_key_invalid", headers: { "WWW-Authenticate": "ClientKey" } };

describe("a credential that was hashed under a former pepper", () => {
  it("is good as long as that pepper is named", async () => {
    const next = Buffer.alloc(32, 2);
    const open = (formerPeppers: readonly Uint8Array[]) =>
      openCredentials({ ...parts(), pepper: next, formerPeppers });
    const rotated = open([Buffer.alloc(32, 3), pepper]);
    await expect(rotated.agent(token)).resolves.toMatchObject({ agent });
    await rotated.close();
    const without = open([]);
    await expect(without.agent(token)).rejects.toMatchObject(refused);
    await without.close();
  });
});

describe("a credential whose record cannot be read", () => {
  it("is refused, and others of the same statement are found", async () => {
    const damaged = newCredential("ak1");
    const rowOfDamaged = { ...row(), kid: damaged.kid, agent_data: '{"api_permissions":' };
    answer = () => Promise.resolve([rowOfDamaged, row()]);
    await expect(credentials.agent(damaged.token)).rejects.toMatchObject(refused);
    await expect(credentials.agent(token)).resolves.toMatchObject({ agent });
  });
});

describe("a remembered credential", () => {
  it("is looked up once for callers at the same moment, and not again for 20 s", async () => {
    await Promise.all([credentials.agent(token), credentials.agent(token)]);
    now += 19_999;
    await expect(credentials.agent(token)).resolves.toMatchObject({
      agent,
      permissions: ["Capture"],
      credential_kid: kid,
    });
    expect(readCount).toBe(1);
  });

  it("is looked up anew from 20 s on, while callers get what is known, and is not used for more than 30 s", async () => {
    await credentials.agent(token);
    answer = () => Promise.reject(new Error("no database"));
    now += 29_999;
    await expect(credentials.agent(token)).resolves.toMatchObject({ agent });
    expect(readCount).toBe(2);
    now += 1;
    await expect(credentials.agent(token)).rejects.toMatchObject({ code: "credential_not_judged" });
  });

  it("is as old as the statement that read it: what was revoked meanwhile opens nothing for longer", async () => {
    answer = () => {
      now += 5_000;
      return Promise.resolve([row()]);
    };
    await credentials.agent(token);
    answer = () => Promise.reject(new Error("no database"));
    now += 25_000;
    await expect(credentials.agent(token)).rejects.toMatchObject({ code: "credential_not_judged" });
  });

  it("is refused as soon as the look-up of an age of 20 s finds that it is revoked", async () => {
    await credentials.agent(token);
    answer = () => Promise.resolve([]);
    now += 20_000;
    await expect(credentials.agent(token)).resolves.toMatchObject({ agent });
    await new Promise(setImmediate);
    await expect(credentials.agent(token)).rejects.toMatchObject(refused);
  });

  it("has the expiry that the look-up in the background found", async () => {
    await credentials.agent(token);
    const expires = now + 25_000;
    answer = () => Promise.resolve([row(new Date(expires).toISOString())]);
    now += 20_000;
    await credentials.agent(token);
    await new Promise(setImmediate);
    now = expires - 1;
    await credentials.agent(token);
    now = expires;
    await expect(credentials.agent(token)).rejects.toMatchObject(refused);
  });

  it("is the same object until it is read anew", async () => {
    const first = await credentials.agent(token);
    expect(await credentials.agent(token)).toBe(first);
    subscriber.announce({ kind: "application_agent", id: agent });
    expect(await credentials.agent(token)).not.toBe(first);
  });

  it.each([
    ["its key id", { kind: "application_agent_credential", id: newGid("application_agent_credential"), kid }],
    [
      "an unknown key id",
      { kind: "application_agent_credential", id: newGid("application_agent_credential") },
    ],
    ["its agent", { kind: "application_agent", id: agent }],
    ["its project", { kind: "project", id: project }],
  ])("is dropped by an announcement of %s", async (_name, change) => {
    await credentials.agent(token);
    subscriber.announce(change);
    await credentials.agent(token);
    expect(readCount).toBe(2);
  });

  it.each([
    [
      "another key id",
      { kind: "application_agent_credential", id: newGid("application_agent_credential"), kid: "x" },
    ],
    ["another agent", { kind: "application_agent", id: newGid("application_agent") }],
    ["a policy", { kind: "authorization_policy", id: newGid("authorization_policy") }],
  ])("stays at an announcement of %s", async (_name, change) => {
    await credentials.agent(token);
    subscriber.announce(change);
    await credentials.agent(token);
    expect(readCount).toBe(1);
  });

  it("is not kept when an announcement came while it was looked up", async () => {
    let give: (rows: Row[]) => void = () => undefined;
    answer = () => new Promise((resolve) => (give = resolve));
    const early = credentials.agent(token);
    await new Promise(setImmediate);
    subscriber.announce({ kind: "application_agent", id: agent });
    answer = () => Promise.resolve([]);
    await expect(credentials.agent(token)).rejects.toMatchObject(refused);
    give([row()]);
    await expect(early).resolves.toMatchObject({ agent });
    await expect(credentials.agent(token)).rejects.toMatchObject(refused);
  });

  it("is dropped when announcements may have been lost", async () => {
    await credentials.agent(token);
    subscriber.emit("close");
    await subscriber.connect();
    await credentials.agent(token);
    expect(readCount).toBe(2);
  });

  it("expires after 1.5 s while announcements cannot arrive", async () => {
    await credentials.agent(token);
    subscriber.emit("close");
    now += 999;
    await credentials.agent(token);
    expect(readCount).toBe(1);
    answer = () => Promise.reject(new Error("no database"));
    now += 500;
    await credentials.agent(token);
    now += 1;
    await expect(credentials.agent(token)).rejects.toMatchObject({ code: "credential_not_judged" });
  });

  it("ends at its expiry to the millisecond", async () => {
    answer = () => Promise.resolve([row(new Date(now + 1_000).toISOString())]);
    await credentials.agent(token);
    now += 999;
    await credentials.agent(token);
    now += 1;
    await expect(credentials.agent(token)).rejects.toMatchObject(refused);
  });
});

describe("a credential that is not accepted", () => {
  it.each([undefined, "", "x", newCredential("sa1").token, token.replace(/_[^_]*$/, "_00000000")])(
    "needs no look-up: %s",
    async (key) => {
      await expect(credentials.agent(key)).rejects.toMatchObject(refused);
      expect(readCount).toBe(0);
    },
  );

  it("is unknown, wrong, without an owner, or ends at a time that cannot be read", async () => {
    for (const rows of [
      [],
      [{ ...row(), token_hash: hashCredential(newCredential("ak1").token, pepper) }],
      [{ ...row(), project_id: null }],
      [row("soon")],
    ]) {
      answer = () => Promise.resolve(rows);
      await expect(credentials.agent(token)).rejects.toMatchObject(refused);
      subscriber.announce({ kind: "application_agent", id: agent });
    }
    expect(readCount).toBe(4);
  });

  it.each([
    ["unknown", []],
    ["with another secret", [{ ...row(), token_hash: "0" }]],
  ])("is looked up once in 10 s: one that is %s", async (_name, rows) => {
    answer = () => Promise.resolve(rows);
    for (let tried = 0; tried < 3; tried++)
      await expect(credentials.agent(token)).rejects.toMatchObject(refused);
    now += 9_999;
    await expect(credentials.agent(token)).rejects.toMatchObject(refused);
    expect(readCount).toBe(1);
    now += 1;
    await expect(credentials.agent(token)).rejects.toMatchObject(refused);
    expect(readCount).toBe(2);
  });

  it("is accepted as soon as its creation is announced", async () => {
    answer = () => Promise.resolve([]);
    await expect(credentials.agent(token)).rejects.toMatchObject(refused);
    answer = () => Promise.resolve([row()]);
    subscriber.announce({
      kind: "application_agent_credential",
      id: newGid("application_agent_credential"),
      action: "created",
      kid,
    });
    await expect(credentials.agent(token)).resolves.toMatchObject({ agent });
  });

  it("is forgotten for newer ones: 10,000 are remembered", async () => {
    answer = () => Promise.resolve([]);
    const others = Array.from({ length: 10_000 }, () => newCredential("ak1").token);
    await Promise.allSettled([token, ...others.slice(0, 4_000)].map((each) => credentials.agent(each)));
    await Promise.allSettled(others.slice(4_000, 8_000).map((each) => credentials.agent(each)));
    await Promise.allSettled(others.slice(8_000).map((each) => credentials.agent(each)));
    const before = readCount;
    await expect(credentials.agent(others[9_999])).rejects.toMatchObject(refused);
    expect(readCount).toBe(before);
    await expect(credentials.agent(token)).rejects.toMatchObject(refused);
    expect(readCount).toBe(before + 1);
  });

  it("is not judged while the store is unavailable", async () => {
    answer = () => Promise.reject(new Error("bolt://secret:7687 refused"));
    await expect(credentials.agent(token)).rejects.toMatchObject({
      code: "credential_not_judged",
      status: 503,
      headers: { "Retry-After": "5" },
      message: "the credential could not be checked now",
    });
  });

  it("is refused on /configs in the words of its challenge", async () => {
    await expect(credentials.serviceAccount(undefined)).rejects.toMatchObject({
      headers: { "WWW-Authenticate": "Bearer" },
    });
    await expect(credentials.serviceAccount(token)).rejects.toMatchObject({
      headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
    });
  });
});

describe("a storm of credentials", () => {
  const storm = (count: number): Promise<unknown>[] =>
    Array.from({ length: count }, () =>
      credentials.agent(newCredential("ak1").token).catch((error) => error),
    );

  it("takes four statements at one time, with the key ids of many", async () => {
    let running = 0;
    let most = 0;
    answer = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return [];
    };
    const refusals = await Promise.all(storm(2_000));
    expect(refusals.every((error) => (error as { code?: string }).code === "client_key_invalid")).toBe(true);
    expect(most).toBe(4);
    // The first four came alone.
    expect(readCount).toBeLessThanOrEqual(4 + 2_000 / 100);
    expect(batches.flat()).toHaveLength(2_000);
    expect(Math.max(...batches.map((kids) => kids.length))).toBe(100);
  });

  it("does not keep one that exists waiting for more than what came before it", async () => {
    answer = async () => {
      const kids = batches.at(-1);
      await new Promise(setImmediate);
      return kids?.includes(kid) === true ? [row()] : [];
    };
    const before = storm(1_000);
    const valid = credentials.agent(token);
    const after = storm(1_000);
    await expect(valid).resolves.toMatchObject({ agent });
    // The four that came first, the rest of what came before it, and what runs beside it.
    expect(readCount).toBeLessThanOrEqual(4 + 1_000 / 100 + 4);
    await Promise.all([...before, ...after]);
  });

  it("is refused with 503 beyond 5,000 that wait", async () => {
    let give: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (give = resolve));
    answer = async () => {
      await gate;
      return [];
    };
    const waiting = storm(5_004);
    await expect(credentials.agent(token)).rejects.toMatchObject({
      code: "credential_not_judged",
      errors: ["credential look-ups: queue full, at most 5000 may wait; retry later"],
      headers: { "Retry-After": "1" },
    });
    give();
    await Promise.all(waiting);
  });
});

describe("the limits of an agent's project", () => {
  it("are those of its record within the installation's", async () => {
    answer = () =>
      Promise.resolve([
        { ...row(), project_data: '{"limits":{"requests_in_flight":7,"page_bytes":99999999}}' },
      ]);
    const caller = await credentials.agent(token);
    expect(credentials.limitsOf(caller)).toMatchObject({ requests_in_flight: 7, page_bytes: 8_000_000 });
  });

  it("count also beside those that a later release has stored", async () => {
    const limits = { requests_in_flight: 7, sessions: "many", of_a_later_release: 1 };
    answer = () => Promise.resolve([{ ...row(), project_data: JSON.stringify({ limits }) }]);
    const caller = await credentials.agent(token);
    expect(credentials.limitsOf(caller)).toMatchObject({ requests_in_flight: 7, sessions: 2_000 });
  });

  it("change with an announcement of the project", async () => {
    expect(credentials.limitsOf(await credentials.agent(token)).requests_in_flight).toBe(512);
    answer = () => Promise.resolve([{ ...row(), project_data: '{"limits":{"requests_in_flight":3}}' }]);
    subscriber.announce({ kind: "project", id: project });
    expect(credentials.limitsOf(await credentials.agent(token)).requests_in_flight).toBe(3);
  });
});
