import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { changesChannel, type Gid, newGid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { type ServiceProcess, startServiceProcess } from "../../../e2e/src/service-process.ts";
import { type FaultyProxy, openFaultyProxy } from "../../../stack/src/testing/faulty-proxy.ts";
import { eventually, openTestBed, type TestBed, testVariables, verify } from "./audit-under-test.ts";

const kills = process.env["IKG_LONG"] === "1" ? 100 : 6;
/** A revocation is known everywhere within this time. */
const knownWithinMs = 2_000;

let bed: TestBed;
let audit: { readonly url: string; close(): Promise<void> };
let proxy: FaultyProxy;
let subscriber: Redis;
/** When each record was first announced, by its id and what became of it. */
const announced = new Map<string, number>();
const account = newGid("service_account");

/** Keys of one deployment, and the way to Redis that stops. */
let variables: Record<string, string>;

beforeAll(async () => {
  bed = await openTestBed();
  audit = await bed.start();
  const redis = new URL(testVariables()["REDIS_URL"] ?? "");
  proxy = await openFaultyProxy({ host: redis.hostname, port: Number(redis.port) });
  variables = {
    ...testVariables(),
    REDIS_URL: Object.assign(new URL(redis), { hostname: "127.0.0.1", port: String(proxy.port) }).href,
    CREDENTIAL_PEPPER: randomBytes(32).toString("base64"),
  };
  subscriber = new Redis(redis.href);
  subscriber.on("message", (_channel, message) => {
    if (!message.startsWith("{")) return;
    const { id, action } = JSON.parse(message) as { id: string; action: string };
    const key = `${action} ${id}`;
    if (!announced.has(key)) announced.set(key, performance.now());
  });
  await subscriber.subscribe(changesChannel);
  const r = { id: bed.organization, kind: "organization", organization_id: bed.organization };
  const by = { created_by: account, updated_by: account };
  const times = { create_time: "", update_time: "" };
  const more = { name: "killed", version: 1, etag: "e", data: "{}", ...times, ...by };
  await bed.run("CREATE (r:_Record:_Organization) SET r = $r, r += $more", { r, more });
}, 60_000);
afterAll(async () => {
  subscriber.disconnect();
  await bed.run(
    "MATCH (r:_Record|_RecordVersion|_RecordUsage|_GraphRemoval) WHERE r.organization_id = $org DETACH DELETE r",
    {
      org: bed.organization,
    },
  );
  await proxy.close();
  await bed.close();
});

/** Sends a change; nobody may answer. */
const send = async (configs: ServiceProcess, method: string, path: string, body?: object): Promise<void> => {
  const caller = { ...bed.account(), service_account: account, role: "all_editor" } as const;
  await fetch(`${configs.url}/configs/v1${path}`, {
    method,
    headers: { ...(await bed.headersOf(caller, "configs")), "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => undefined);
};

const idOf = async (name: string): Promise<Gid | undefined> => {
  const [row] = await bed.run(
    "MATCH (r:_Record {organization_id: $org}) WHERE r.name = $name OR r.display_name = $name RETURN r.id AS id",
    { org: bed.organization, name },
  );
  return row?.["id"] as Gid | undefined;
};

/** What one killed process did, and the one record that it has to leave. */
interface Expected {
  readonly type: string;
  readonly id: Gid;
  readonly chain: Gid;
}

/**
 * Lets a process commit a change and kills it before it can announce or record anything: from the moment of the call its way to
 * Redis is shut, and it is killed as soon as the database has the change.
 */
const killAfterCommit = async (
  configs: ServiceProcess,
  call: () => Promise<void>,
  committed: () => Promise<Gid | undefined>,
): Promise<{ readonly id: Gid; readonly committedAt: number }> => {
  proxy.state = "silent";
  void call();
  const id = await eventually(committed);
  const committedAt = performance.now();
  await configs.running.end("SIGKILL");
  proxy.state = "through";
  return { id, committedAt };
};

describe(`a configs process that is killed ${kills} times between commit and announcement`, () => {
  it(
    "leaves every audit record in its chain, once, and every announcement within 2 s",
    async () => {
      const expected: Expected[] = [];
      const delays: number[] = [];
      let live: { readonly project: Gid; readonly name: string } | undefined;
      for (let turn = 0; turn < kills; turn++) {
        const configs = await startServiceProcess("configs", variables);
        const project = live;
        let done: { readonly id: Gid; readonly committedAt: number };
        let action = "created";
        if (project === undefined) {
          const name = `killed-${turn}`;
          done = await killAfterCommit(
            configs,
            () => send(configs, "POST", "/projects", { organization_id: bed.organization, name }),
            () => idOf(name),
          );
          expected.push({ type: "audit.config.create", id: done.id, chain: done.id });
          live = { project: done.id, name };
        } else if (turn % 3 === 1) {
          const name = `app-${turn}`;
          done = await killAfterCommit(
            configs,
            () => send(configs, "POST", "/applications", { project_id: project.project, name }),
            () => idOf(name),
          );
          expected.push({ type: "audit.config.create", id: done.id, chain: project.project });
        } else {
          action = "deleted";
          done = await killAfterCommit(
            configs,
            () => send(configs, "DELETE", `/projects/${project.project}`),
            async () => ((await idOf(project.name)) === undefined ? project.project : undefined),
          );
          expected.push({ type: "audit.config.delete", id: done.id, chain: done.id });
          live = undefined;
        }
        const at = await eventually(async () => announced.get(`${action} ${done.id}`));
        delays.push(at - done.committedAt);
      }
      delays.sort((a, b) => a - b);
      process.stdout.write(
        `${kills} kills: announced after ${Math.round(delays[delays.length >> 1] ?? 0)} ms (median), ` +
          `${Math.round(delays.at(-1) ?? 0)} ms (slowest)\n`,
      );
      expect(delays.at(-1)).toBeLessThan(knownWithinMs);

      for (const chain of new Set(expected.map((each) => each.chain))) {
        const wanted = expected.filter((each) => each.chain === chain);
        const read = await eventually(async () => {
          const now = await bed.read(audit.url, chain);
          const ids = now.batches.flatMap(({ data }) =>
            data.map((event) => event["data"] as { id?: string }),
          );
          return wanted.every(({ id }) => ids.some((each) => each.id === id)) ? now : undefined;
        });
        const records = read.batches.flatMap(({ data }) => data);
        for (const { type, id } of wanted)
          expect({
            type,
            id,
            times: records.filter(
              (event) => event["type"] === type && (event["data"] as { id?: string }).id === id,
            ).length,
          }).toEqual({ type, id, times: 1 });
        expect((await verify(read)).failed).toEqual([]);
      }
      const left = await bed.run(
        "MATCH (o:_AuditOutbox) WHERE o.organization_id = $org RETURN count(o) AS n",
        {
          org: bed.organization,
        },
      );
      expect(Number(left[0]?.["n"])).toBe(0);
    },
    60_000 + kills * 30_000,
  );
});
