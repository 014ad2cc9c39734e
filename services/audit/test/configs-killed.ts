import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { changesChannel, type Gid, newGid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { type ServiceProcess, startServiceProcess } from "../../../e2e/src/service-process.ts";
import { targetOf } from "../../../stack/src/testing/internal-contexts.ts";
import { type FaultyProxy, openFaultyProxy } from "../../../stack/src/testing/faulty-proxy.ts";
import { eventually, openTestBed, type TestBed, testVariables, verify } from "./audit-under-test.ts";

/** A revocation is known everywhere within this time. */
const knownWithinMs = 2_000;

let bed: TestBed;
let audit: { readonly url: string; close(): Promise<void> };
let subscriber: Redis;
/** When each record was first announced, by its id and what became of it. */
const announced = new Map<string, number>();
const account = newGid("service_account");

/** Of one deployment. */
let variables: Record<string, string>;

const open = async (): Promise<void> => {
  bed = await openTestBed();
  audit = await bed.start();
  variables = { ...testVariables(), CREDENTIAL_PEPPER: randomBytes(32).toString("base64") };
  subscriber = new Redis(variables["REDIS_URL"] ?? "");
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
};
const close = async (): Promise<void> => {
  subscriber.disconnect();
  await bed.run(
    "MATCH (r:_Record|_RecordVersion|_RecordUsage|_GraphRemoval) WHERE r.organization_id = $org DETACH DELETE r",
    {
      org: bed.organization,
    },
  );
  await bed.close();
};

/** A configs process with a way to Redis of its own, which stops. */
interface Killed {
  readonly configs: ServiceProcess;
  readonly proxy: FaultyProxy;
}

const start = async (): Promise<Killed> => {
  const redis = new URL(variables["REDIS_URL"] ?? "");
  const proxy = await openFaultyProxy({ host: redis.hostname, port: Number(redis.port) });
  Object.assign(redis, { hostname: "127.0.0.1", port: String(proxy.port) });
  return { configs: await startServiceProcess("configs", { ...variables, REDIS_URL: redis.href }), proxy };
};

/** Sends a change; there may be no answer. */
const send = async (configs: ServiceProcess, method: string, path: string, body?: object): Promise<void> => {
  const caller = { ...bed.account(), service_account: account, role: "all_editor" } as const;
  const target = targetOf("configs", method, `/configs/v1${path}`);
  await fetch(`${configs.url}/configs/v1${path}`, {
    method,
    headers: { ...(await bed.headersOf(caller, target)), "content-type": "application/json" },
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
  { configs, proxy }: Killed,
  call: (configs: ServiceProcess) => Promise<void>,
  committed: () => Promise<Gid | undefined>,
): Promise<{ readonly id: Gid; readonly committedAt: number }> => {
  proxy.state = "silent";
  void call(configs);
  const id = await eventually(committed);
  const committedAt = performance.now();
  await configs.running.end("SIGKILL");
  await proxy.close();
  return { id, committedAt };
};

interface Turn extends Expected {
  readonly action: "created" | "deleted";
  readonly committedAt: number;
}

/** One kill at each kind of change in turn: a project made, an application made in it, the project deleted. */
const killTurn = async (
  killed: Killed,
  number: number,
  project: { readonly id: Gid; readonly name: string } | undefined,
): Promise<Turn> => {
  const creates = async (path: string, name: string, body: object) =>
    killAfterCommit(
      killed,
      (configs) => send(configs, "POST", path, { ...body, name }),
      () => idOf(name),
    );
  if (project === undefined) {
    const done = await creates("/projects", `killed-${number}`, { organization_id: bed.organization });
    return { ...done, action: "created", type: "audit.config.create", chain: done.id };
  }
  if (number % 3 === 1) {
    const done = await creates("/applications", `app-${number}`, { project_id: project.id });
    return { ...done, action: "created", type: "audit.config.create", chain: project.id };
  }
  const done = await killAfterCommit(
    killed,
    (configs) => send(configs, "DELETE", `/projects/${project.id}`),
    async () => ((await idOf(project.name)) === undefined ? project.id : undefined),
  );
  return { ...done, action: "deleted", type: "audit.config.delete", chain: done.id };
};

const expectOnce = async (expected: readonly Expected[]): Promise<void> => {
  for (const [chain, wanted] of Map.groupBy(expected, (each) => each.chain)) {
    const read = await eventually(async () => {
      const now = await bed.read(audit.url, chain);
      const ids = now.batches.flatMap(({ data }) => data.map((event) => event["data"] as { id?: string }));
      return wanted.every(({ id }) => ids.some((each) => each.id === id)) ? now : undefined;
    });
    const records = read.batches.flatMap(({ data }) => data);
    const timesOf = ({ type, id }: Expected): number =>
      records.filter((event) => event["type"] === type && (event["data"] as { id?: string }).id === id)
        .length;
    expect(wanted.map((each) => ({ ...each, times: timesOf(each) }))).toEqual(
      wanted.map((each) => ({ ...each, times: 1 })),
    );
    expect((await verify(read)).failed).toEqual([]);
  }
};

/** Kills configs processes between the commit of a change and its announcement, each at another change. */
export const testKills = (kills: number): void =>
  describe(`a configs process that is killed ${kills} times between commit and announcement`, () => {
    beforeAll(open, 60_000);
    afterAll(close);
    it(
      "leaves every audit record in its chain, once, and every announcement within 2 s",
      async () => {
        const expected: Expected[] = [];
        const delays: number[] = [];
        let live: { readonly id: Gid; readonly name: string } | undefined;
        let next = start();
        for (let number = 0; number < kills; number++) {
          const killed = await next;
          if (number + 1 < kills) next = start();
          const { action, committedAt, ...turn } = await killTurn(killed, number, live);
          expected.push(turn);
          if (turn.chain === turn.id)
            live = action === "created" ? { id: turn.id, name: `killed-${number}` } : undefined;
          const at = await eventually(async () => announced.get(`${action} ${turn.id}`));
          delays.push(at - committedAt);
        }
        delays.sort((a, b) => a - b);
        process.stdout.write(
          `${kills} kills: announced after ${Math.round(delays[delays.length >> 1] ?? 0)} ms (median), ` +
            `${Math.round(delays.at(-1) ?? 0)} ms (slowest)\n`,
        );
        await expectOnce(expected);
        const left = await bed.run(
          "MATCH (o:_AuditOutbox) WHERE o.organization_id = $org RETURN count(o) AS n",
          { org: bed.organization },
        );
        expect(Number(left[0]?.["n"])).toBe(0);
        expect(delays.at(-1)).toBeLessThan(knownWithinMs);
      },
      60_000 + kills * 30_000,
    );
  });
