import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { changesChannel, type Gid, newGid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { targetOf } from "../../../stack/src/testing/internal-contexts.ts";
import { type FaultyProxy, openFaultyProxy } from "../../../stack/src/testing/servers/faulty-proxy.ts";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../../../stack/src/testing/servers/service-process.ts";
import {
  openTestBed,
  type StoredChain,
  type TestBed,
  testVariables,
  verify,
  waitLimits,
} from "./audit-under-test.ts";

/** Of configs processes, between the commit of a change and its announcement, each at another change. */
const kills = 100;
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
  const org = bed.organization;
  await bed.run(
    "MATCH (c:_Change) WHERE c.organization_id = $org OPTIONAL MATCH (e:_ChangeEntry)-->(c) DETACH DELETE e, c",
    { org },
  );
  await bed.run(
    "MATCH (r:_Record|_RecordVersion|_RecordUsage|_GraphRemoval) WHERE r.organization_id = $org DETACH DELETE r",
    { org },
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

/** Sends a change; there may be no answer. One that is refused says so: the test waits for its commit in vain. */
const send = async (configs: ServiceProcess, method: string, path: string, body?: object): Promise<void> => {
  const caller = { ...bed.account(), service_account: account, role: "all_editor" } as const;
  const target = targetOf("configs", method, `/configs/v1${path}`);
  const response = await fetch(`${configs.url}/configs/v1${path}`, {
    method,
    headers: { ...(await bed.headersOf(caller, target)), "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  if (response?.ok === false)
    process.stdout.write(`${method} ${path}: ${response.status} ${await response.text().catch(() => "")}\n`);
};

/** Of the record with this name; a role binding has it in the value of its claim. */
const idOf = async (name: string): Promise<Gid | undefined> => {
  const [row] = await bed.run(
    "MATCH (r:_Record {organization_id: $org}) WHERE r.name = $name OR r.display_name = $name " +
      "OR (r.kind = 'role_binding' AND r.data CONTAINS '\"' + $name + '\"') RETURN r.id AS id",
    { org: bed.organization, name },
  );
  return row?.["id"] as Gid | undefined;
};

const versionOf = async (id: Gid): Promise<number> => {
  const [row] = await bed.run("MATCH (r:_Record {id: $id}) RETURN r.version AS version", { id });
  return Number(row?.["version"]);
};

/** A record that a killed process has to leave: its id is that of what was changed, or of the change record. */
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
  const id = await eventually(committed, (found) => found !== undefined, waitLimits);
  const committedAt = performance.now();
  await configs.running.end("SIGKILL");
  await proxy.close();
  return { id, committedAt };
};

interface Turn extends Expected {
  readonly action: "created" | "updated" | "deleted";
  readonly committedAt: number;
  /** Further traces that it leaves. */
  readonly more?: readonly Expected[];
}

/** What earlier turns have made, by the kind of it. */
type Made = Map<"project" | "application" | "agent" | "credential" | "policy" | "binding", Gid>;

const madeIn = (made: Made, kind: Parameters<Made["get"]>[0]): Gid => {
  const id = made.get(kind);
  if (id === undefined) throw new Error(`no ${kind} was made`);
  return id;
};

const policyOf = (action: string): string =>
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: [action],
    resource: { type: "Car" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
  });
const policyContent = (action: string) => ({ policy: policyOf(action), status: "ACTIVE", tags: [] });

type TakeTurn = (killed: Killed, made: Made, name: string) => Promise<Turn>;

/** A record that is created. @param kind under which later turns find it */
const creates =
  (
    path: string,
    bodyOf: (made: Made, name: string) => object,
    { kind, type = "audit.config.create" }: { kind?: Parameters<Made["get"]>[0]; type?: string } = {},
  ): TakeTurn =>
  async (killed, made, name) => {
    const done = await killAfterCommit(
      killed,
      (configs) => send(configs, "POST", path, bodyOf(made, name)),
      () => idOf(name),
    );
    if (kind !== undefined) made.set(kind, done.id);
    return { ...done, action: "created", type, chain: madeIn(made, "project") };
  };

const updatesPolicy: TakeTurn = async (killed, made) => {
  const id = madeIn(made, "policy");
  const done = await killAfterCommit(
    killed,
    (configs) => send(configs, "PUT", `/authorization-policies/${id}`, policyContent("WRITE")),
    async () => ((await versionOf(id)) === 2 ? id : undefined),
  );
  return { ...done, action: "updated", type: "audit.config.update", chain: madeIn(made, "project") };
};

/** A change set leaves a record of its own besides those of what it changes. */
const appliesChanges: TakeTurn = async (killed, made, name) => {
  const chain = madeIn(made, "project");
  const put = { op: "put", collection: "authorization-policies", name, record: policyContent("READ") };
  const done = await killAfterCommit(
    killed,
    (configs) => send(configs, "POST", "/changes", { project_id: chain, message: name, changes: [put] }),
    () => idOf(name),
  );
  const [row] = await bed.run("MATCH (c:_Change {project_id: $chain, message: $name}) RETURN c.id AS id", {
    chain,
    name,
  });
  const set = { type: "audit.config.changes", id: row?.["id"] as Gid, chain };
  return { ...done, action: "created", type: "audit.config.create", chain, more: [set] };
};

/** What an earlier turn has made is deleted; of a credential or a role binding this is its revocation. */
const deletes =
  (path: string, kind: Parameters<Made["get"]>[0], type = "audit.config.delete"): TakeTurn =>
  async (killed, made) => {
    const id = madeIn(made, kind);
    const done = await killAfterCommit(
      killed,
      (configs) => send(configs, "DELETE", `${path}/${id}`),
      async () => (Number.isNaN(await versionOf(id)) ? id : undefined),
    );
    return { ...done, action: "deleted", type, chain: madeIn(made, "project") };
  };

/** One kill at each kind of change, again and again. */
const turns: readonly TakeTurn[] = [
  creates("/projects", (_, name) => ({ organization_id: bed.organization, name }), { kind: "project" }),
  creates("/applications", (made, name) => ({ project_id: madeIn(made, "project"), name }), {
    kind: "application",
  }),
  creates(
    "/application-agents",
    (made, name) => ({
      application_id: madeIn(made, "application"),
      name,
      api_permissions: ["Authorization"],
    }),
    { kind: "agent" },
  ),
  creates(
    "/application-agent-credentials",
    (made, name) => ({ application_agent_id: madeIn(made, "agent"), display_name: name }),
    { kind: "credential", type: "audit.credentials.create" },
  ),
  deletes("/application-agent-credentials", "credential", "audit.credentials.delete"),
  creates(
    "/authorization-policies",
    (made, name) => ({ project_id: madeIn(made, "project"), name, ...policyContent("READ") }),
    { kind: "policy" },
  ),
  updatesPolicy,
  appliesChanges,
  creates(
    "/role-bindings",
    (made, name) => ({
      subject: { claim: "groups", value: name },
      role: "viewer",
      project_id: madeIn(made, "project"),
    }),
    { kind: "binding" },
  ),
  deletes("/role-bindings", "binding"),
  deletes("/projects", "project"),
];

/** How often a chain has a record. */
const timesOf = ({ batches }: StoredChain, { type, id }: Expected): number =>
  batches
    .flatMap(({ data }) => data)
    .filter((event) => {
      const data = event["data"] as { readonly id?: string; readonly change_id?: string };
      return event["type"] === type && (type === "audit.config.changes" ? data.change_id : data.id) === id;
    }).length;

const expectOnce = async (expected: readonly Expected[]): Promise<void> => {
  for (const [chain, wanted] of Map.groupBy(expected, (each) => each.chain)) {
    const read = await eventually(
      () => bed.read(audit.url, chain),
      (now) => wanted.every((each) => timesOf(now, each) > 0),
      waitLimits,
    );
    expect(wanted.map((each) => ({ ...each, times: timesOf(read, each) }))).toEqual(
      wanted.map((each) => ({ ...each, times: 1 })),
    );
    expect((await verify(read)).failed).toEqual([]);
  }
};

describe(`a configs process that is killed ${kills} times between commit and announcement`, () => {
  beforeAll(open, 60_000);
  afterAll(close);
  it(
    "leaves every audit record in its chain, once, and every announcement within 2 s",
    async () => {
      const expected: Expected[] = [];
      const delays: number[] = [];
      const made: Made = new Map();
      let next = start();
      for (let number = 0; number < kills; number++) {
        const killed = await next;
        if (number + 1 < kills) next = start();
        const take = turns[number % turns.length];
        if (take === undefined) throw new Error("no kind of change");
        const { action, committedAt, more = [], ...turn } = await take(killed, made, `killed-${number}`);
        expected.push(turn, ...more);
        const at = await eventually(
          () => announced.get(`${action} ${turn.id}`),
          (time) => time !== undefined,
          waitLimits,
        );
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
