/** Several replicas of the services that do the work: load spreads over them, and a killed one costs next to nothing. */
import { setTimeout as delay } from "node:timers/promises";
import { say, step } from "../../launch/progress.mjs";
import { asAgent, call } from "../demo/api.ts";
import { openRecords } from "../demo/records.ts";
import type { Counts } from "../testing/counts.ts";
import { add, none, one } from "../testing/counts.ts";
import { compose, docker } from "./compose.ts";
import type { ContainerSession } from "./session.ts";

const scale = { access: 3, ciq: 2, mcp: 2, "trust-scorer": 2 } as const;
/** Services that answer requests which the gateway passes on. */
const asked = ["access", "ciq", "mcp"] as const;

const callers = 16;
/** Longer than the gateway keeps a connection to one replica, so that each gets its share. */
const spreadMs = 75_000;
const killMs = 20_000;
/** A database that was started a moment ago takes long for its first statements; a try at warming, and how many. */
const warmMs = 5_000;
const warmings = 12;

interface Project {
  readonly id: string;
  readonly apiKey: string;
}

const makeProject = async ({ environment }: ContainerSession): Promise<Project> => {
  const records = openRecords(environment);
  const { organization_id } = environment;
  const { id } = await records.create("projects", { name: `replicas-${process.pid}`, organization_id });
  const application = await records.create("applications", { name: "replicas", project_id: id });
  const agent = await records.create("application-agents", {
    name: "replicas",
    application_id: application.id,
    api_permissions: ["Authorization", "ContXIQ"],
  });
  const made = await records.create("application-agent-credentials", { application_agent_id: agent.id });
  // The credential JSON that a creation answers once (api specification 9.5).
  return { id, apiKey: (made["application_agent_config"] as { token: string }).token };
};

const evaluation = {
  subject: { type: "Person", id: "p1" },
  action: { name: "READ" },
  resource: { type: "Document", id: "d1" },
};

/** One request to each of the services behind the gateway, and the answer that a healthy suite gives. */
const requests = ({ id, apiKey }: Project) => [
  {
    path: "/access/v1/evaluation",
    init: { method: "POST", headers: json(asAgent(apiKey)), body: JSON.stringify(evaluation) },
    status: 200,
  },
  // No such query is stored there, which the ciq service says.
  {
    path: "/ciq/v1/execute",
    init: { method: "POST", headers: json(asAgent(apiKey)), body: JSON.stringify({ id: "none" }) },
    status: 404,
  },
  // No MCP server is configured there, which the mcp service says.
  { path: `/mcp/v1/${id}`, init: { method: "POST", headers: json({}), body: "{}" }, status: 404 },
];
const json = (headers: Readonly<Record<string, string>>) => ({
  ...headers,
  "content-type": "application/json",
});

interface Load {
  readonly sent: number;
  /** What was answered otherwise than a healthy suite does, by kind. */
  readonly failures: ReadonlyMap<string, number>;
}

/** Asks from many callers until the time is over. */
const load = async (baseUrl: string, project: Project, ms: number): Promise<Load> => {
  const until = performance.now() + ms;
  const failures = new Map<string, number>();
  let sent = 0;
  const each = requests(project);
  const caller = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() < until; turn++) {
      const { path, init, status } = each[turn % each.length] ?? { path: "/", init: {}, status: 404 };
      sent++;
      const kind = await fetch(`${baseUrl}${path}`, { ...init, signal: AbortSignal.timeout(20_000) }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status === status ? undefined : `${path.split("/")[1]} ${answer.status}`;
        },
        (error: unknown) => `${path.split("/")[1]} ${String(error)}`,
      );
      if (kind !== undefined) failures.set(kind, (failures.get(kind) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, n) => caller(n)));
  return { sent, failures };
};

/** Asks until nothing fails any more for a while, so that what fails afterwards is not the start's. */
const warm = async (baseUrl: string, project: Project): Promise<void> => {
  for (let turn = 0; turn < warmings; turn++) if (failed(await load(baseUrl, project, warmMs)) === 0) return;
};

const readMetrics =
  "fetch('http://127.0.0.1:9090/metrics').then((a) => a.text()).then((t) => process.stdout.write(t))";

/** The containers of a service. */
const replicasOf = ({ project }: ContainerSession, service: string): Promise<string[]> =>
  compose(project, "ps", "--quiet", service);

/** How many requests each replica has answered, by its own metrics. */
const answered = async (replicas: readonly string[]): Promise<number[]> => {
  const counts = [];
  for (const replica of replicas) {
    const lines = await docker("exec", replica, "node", "-e", readMetrics);
    const found = lines.filter((line) => line.startsWith("ikg_request_duration_seconds_count{"));
    counts.push(found.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0));
  }
  return counts;
};

/** True when no replica has less than a quarter of an even share: few callers use few connections. */
const isSpread = (counts: readonly number[]): boolean => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total > 100 && counts.every((count) => count >= total / counts.length / 4);
};

const describe = ({ sent, failures }: Load): string =>
  `${sent} requests, ${[...failures].map(([kind, count]) => `${count} × ${kind}`).join(", ") || "none failed"}`;

const failed = ({ failures }: Load): number => [...failures.values()].reduce((sum, count) => sum + count, 0);

/** Scales the suite, and counts what its replicas answer and what the death of one costs. */
export const checkReplicas = async (session: ContainerSession): Promise<Counts> => {
  const { project, environment } = session;
  const flags = Object.entries(scale).flatMap(([name, count]) => ["--scale", `${name}=${count}`]);
  await step(`docker compose up ${flags.join(" ")}`, () =>
    compose(project, "up", "--detach", "--no-build", "--no-recreate", "--wait", ...flags),
  );
  const made = await makeProject(session);
  let counts: Counts = none;
  const check = (passed: boolean, text: string): void => {
    say(`${passed ? "passed" : "FAILED"}: ${text}`);
    counts = add(counts, one(passed));
  };
  await step("load until nothing fails", () => warm(environment.base_url, made));
  const before = [];
  for (const name of asked) {
    const replicas = await replicasOf(session, name);
    before.push({ name, replicas, had: await answered(replicas) });
  }
  const even = await load(environment.base_url, made, spreadMs);
  check(
    failed(even) === 0,
    `load on ${flags.filter((each) => each !== "--scale").join(", ")}: ${describe(even)}`,
  );
  for (const { name, replicas, had } of before) {
    const shares = (await answered(replicas)).map((count, n) => count - (had[n] ?? 0));
    check(
      replicas.length === scale[name] && isSpread(shares),
      `${name} answered ${shares.join(", ")} requests by replica`,
    );
  }
  const dying = load(environment.base_url, made, killMs);
  await delay(killMs / 4);
  for (const { replicas } of before) await docker("kill", "--signal", "KILL", replicas[0] ?? "");
  const after = await dying;
  check(
    failed(after) <= callers,
    `a replica of ${asked.join(", ")} killed under load of ${callers} callers: ${describe(after)}`,
  );
  const headers = { authorization: `Bearer ${environment.service_account_token}` };
  await call(environment.base_url, "DELETE", `/configs/v1/projects/${made.id}`, headers);
  return counts;
};
