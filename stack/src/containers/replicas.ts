/** Several replicas of the services that do the work: load spreads over them, and a killed one costs next to nothing. */
import { setTimeout as delay } from "node:timers/promises";
import { step } from "../../launch/progress.mjs";
import type { Counts } from "../testing/runner/counts.ts";
import { add, none } from "../testing/runner/counts.ts";
import {
  callers,
  describeLoad,
  failed,
  forMs,
  load,
  makeLoadProject,
  removeLoadProject,
  warm,
} from "../testing/suites/load.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { compose, docker } from "./compose.ts";
import type { ContainerSession } from "./session.ts";

const scale = { access: 3, ciq: 2, mcp: 2, "trust-scorer": 2 } as const;
/** Services that answer requests which the gateway passes on. */
const killable = ["access", "ciq", "mcp"] as const;

/** Longer than the gateway keeps a connection to one replica, so that each gets its share. */
const spreadMs = 75_000;
const killMs = 20_000;
const readMetrics =
  "fetch('http://127.0.0.1:9090/metrics').then((a) => a.text()).then((t) => process.stdout.write(t))";

/** The containers of a service. */
const replicasOf = ({ project }: ContainerSession, service: string): Promise<string[]> =>
  compose(project, "ps", "--quiet", service);

/** Requests that each replica has answered, from its own metrics. */
const readRequestCounts = async (replicas: readonly string[]): Promise<number[]> => {
  const counts = [];
  for (const replica of replicas) {
    const lines = await docker(["exec", replica, "node", "-e", readMetrics]);
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

const flagsOf = (of: (count: number) => number): string[] =>
  Object.entries(scale).flatMap(([name, count]) => ["--scale", `${name}=${of(count)}`]);

/** Scales the suite, and counts what its replicas answer and what the death of one costs. */
export const checkReplicas = async (session: ContainerSession): Promise<Counts> => {
  const { project, environment } = session;
  const flags = flagsOf((count) => count);
  await step(`docker compose up ${flags.join(" ")}`, () =>
    compose(project, "up", "--detach", "--no-build", "--no-recreate", "--wait", ...flags),
  );
  const made = await makeLoadProject(environment, "replicas");
  let counts: Counts = none;
  const check = (passed: boolean, text: string): void => {
    counts = add(counts, verdict(passed, text));
  };
  await step("load until nothing fails", () => warm(environment, made));
  const before = [];
  for (const name of killable) {
    const replicas = await replicasOf(session, name);
    before.push({ name, replicas, had: await readRequestCounts(replicas) });
  }
  const even = await load(environment, made, forMs(spreadMs));
  check(
    failed(even) === 0,
    `load on ${flags.filter((each) => each !== "--scale").join(", ")}: ${describeLoad(even)}`,
  );
  for (const { name, replicas, had } of before) {
    const shares = (await readRequestCounts(replicas)).map((count, n) => count - (had[n] ?? 0));
    check(
      replicas.length === scale[name] && isSpread(shares),
      `${name} answered ${shares.join(", ")} requests by replica`,
    );
  }
  const dying = load(environment, made, forMs(killMs));
  await delay(killMs / 4);
  for (const { replicas } of before) await docker(["kill", "--signal", "KILL", replicas[0] ?? ""]);
  const after = await dying;
  check(
    failed(after) <= callers,
    `a replica of ${killable.join(", ")} killed under load of ${callers} callers: ${describeLoad(after)}`,
  );
  await removeLoadProject(environment, made);
  await step("one of each again", () =>
    compose(project, "up", "--detach", "--no-build", "--no-recreate", "--wait", ...flagsOf(() => 1)),
  );
  return counts;
};
