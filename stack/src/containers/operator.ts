/** What an operator sets for docker compose holds in the containers: settings, bounds of memory and logs, levels, new keys. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { step } from "../../launch/progress.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { openAdmin } from "../clients.ts";
import { services } from "../services/service-names.ts";
import { inRepository } from "../repository.ts";
import { add, type Counts, none } from "../testing/runner/counts.ts";
import { forMs, load, makeLoadProject, removeLoadProject } from "../testing/suites/load.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { type ComposeProject, compose, composeUp, docker } from "./compose.ts";
import type { ContainerSession } from "./session.ts";

/** Settings that differ from their defaults, with the services that have them. */
const chosen: Readonly<Record<string, { readonly value: string; readonly of: readonly string[] }>> = {
  SLOW_STATEMENT_MS: { value: "750", of: services },
  AUDIT_DEADLINE_MS: { value: "1900", of: services },
  DECISION_TIMEOUT_MS: { value: "4500", of: ["access"] },
  QUERY_TIMEOUT_MS: { value: "29000", of: ["ciq"] },
  IMPORT_UPLOADS: { value: "3", of: ["capture"] },
  MCP_TOOL_TIMEOUT_MS: { value: "29000", of: ["mcp"] },
  TRUST_BATCH_SIZE: { value: "450", of: ["trust-scorer"] },
  PLANNING_MS: { value: "9000", of: ["configs"] },
  AUDIT_RETENTION_DAYS: { value: "400", of: ["audit"] },
  LIMIT_ACCESS_MS: { value: "29000", of: ["gateway"] },
};

const logBytes = 40_000;
const logFiles = 2;
/** A line about a request is longer. */
const lineBytes = 200;
const redisMegabytes = 1_600;
const loadMs = 5_000;
const loadWithinMs = 120_000;

const secret = "sealed before the change of the key";

/** Of a process that the system has ended for its memory. */
const killedCode = 137;

/** Commands of docs/operations.md that begin so, as words after `docker compose`. */
const documented = (text: string): readonly string[] => {
  const page = readFileSync(inRepository("docs", "operations.md"), "utf8");
  const line = page.split("\n").find((each) => each.startsWith(`docker compose exec ${text}`));
  if (line === undefined) throw new Error(`docs/operations.md does not say docker compose exec ${text}`);
  return line.split(" ").slice(2);
};

/** Runs one of them without a terminal. */
const runDocumented = (
  project: ComposeProject,
  [exec = "", ...words]: readonly string[],
): Promise<string[]> => compose(project, exec, "-T", ...words);

type Check = (passed: boolean, text: string) => void;

/** `NAME value` of each setting that a service has in force. */
const settingsOf = async (project: ComposeProject, service: string): Promise<ReadonlyMap<string, string>> => {
  const main = `services/${service}/src/main.ts`;
  const lines = await compose(project, "exec", "-T", service, "node", main, "--print-settings");
  return new Map(
    lines.map((line) => {
      const [name = "", ...value] = line.split(/\s+/);
      return [name, value.join(" ")];
    }),
  );
};

/** Addresses that an operator gives. */
interface Stores {
  readonly neo4j: string;
  readonly redis: string;
}

const redisHost = "process.stdout.write(new URL(process.env.REDIS_URL).hostname)";

const checkSettings = async (project: ComposeProject, stores: Stores, check: Check): Promise<void> => {
  const wrong: string[] = [];
  let seen = 0;
  for (const service of services) {
    const settings = await settingsOf(project, service);
    const expected = Object.entries(chosen).filter(([, { of }]) => of.includes(service));
    for (const [name, value] of [
      ...expected.map(([each, setting]) => [each, setting.value] as const),
      ["NEO4J_URI", stores.neo4j] as const,
    ]) {
      seen++;
      if (settings.get(name) !== value) wrong.push(`${service} ${name} ${settings.get(name)}`);
    }
    // A secret, which the settings do not show.
    const host = (await compose(project, "exec", "-T", service, "node", "--eval", redisHost)).join("");
    seen++;
    if (host !== new URL(stores.redis).hostname) wrong.push(`${service} REDIS_URL at ${host}`);
  }
  check(
    wrong.length === 0,
    `${seen} settings of an operator are in force in ${services.length} services${wrong.map((each) => `\n  ${each}`).join("")}`,
  );
};

const inspect = async (project: ComposeProject, service: string, format: string): Promise<string> => {
  const [container = ""] = await compose(project, "ps", "--quiet", service);
  return (await docker(["inspect", "--format", format, container])).join("");
};

const checkMemoryLimits = async (project: ComposeProject, check: Check): Promise<void> => {
  const without: string[] = [];
  for (const service of [...services, "neo4j", "redis"])
    if (Number(await inspect(project, service, "{{.HostConfig.Memory}}")) === 0) without.push(service);
  const ofRedis = Number(await inspect(project, "redis", "{{.HostConfig.Memory}}")) / 2 ** 20;
  check(
    without.length === 0 && ofRedis === redisMegabytes,
    `every container has a limit of memory${without.map((each) => `, but ${each}`).join("")}; that of Redis is the operator's, ${ofRedis} MB`,
  );
  // Buffers are outside the heap of Node, which has a limit of its own.
  const grow = "const kept = []; for (;;) kept.push(Buffer.alloc(2 ** 24, 1));";
  const container = ["run", "--rm", "--no-deps", "-T", "access", "--eval", grow];
  const files = project.files.flatMap((file) => ["--file", file]);
  const { code } = await runProgram(
    "docker",
    ["compose", "--project-name", project.name, "--env-file", "/dev/null", ...files, ...container],
    { cwd: inRepository(), env: project.env, signal: project.signal },
  );
  check(
    code === killedCode,
    `a process of access that takes more than its limit is ended (exit code ${code})`,
  );
};

const checkLogRotation = async ({ project, environment }: ContainerSession, check: Check): Promise<void> => {
  const made = await makeLoadProject(environment, "operator");
  let written = 0;
  const until = performance.now() + loadWithinMs;
  while (written <= 2 * logFiles * logBytes && performance.now() < until)
    written += lineBytes * (await load(environment, made, forMs(loadMs))).sent;
  await removeLoadProject(environment, made);
  const [container = ""] = await compose(project, "ps", "--quiet", "gateway");
  const kept = Buffer.byteLength((await docker(["logs", container])).join("\n"));
  check(
    written > 2 * logFiles * logBytes && kept > 0 && kept <= logFiles * logBytes,
    `of more than ${written} bytes of logs of the gateway ${kept} are kept, at most ${logFiles} files of ${logBytes}`,
  );
};

const checkLogLevel = async (project: ComposeProject, check: Check): Promise<void> => {
  const command = documented("access node libs/service/src/logs/log-level.ts ");
  const set = await runDocumented(project, command);
  const shown = await runDocumented(project, command.slice(0, -1));
  const level = command.at(-1) ?? "";
  check(
    set.join() === level && shown.join() === level,
    `the level of a log is set and shown as documented: ${set.join()}, ${shown.join()}`,
  );
};

/** Follows docs/operations.md, "Resealing", from the session's key to another one. */
const reseal = async (project: ComposeProject, check: Check): Promise<void> => {
  const lines = await runDocumented(project, documented("configs node services/configs/src/reseal.ts"));
  const last = lines.at(-1) ?? "";
  check(last.endsWith("the former keys are no longer needed"), `resealing in the container: ${last}`);
};

/** The gids of a resolver with a secret, and of the project that it is in. */
interface Sealed {
  readonly projectId: string;
  readonly resolverId: string;
}

const makeSealed = async ({ environment }: ContainerSession): Promise<Sealed> => {
  const admin = openAdmin(environment);
  const { organization_id } = environment;
  const project = await admin.projects.create({ name: `sealed-${process.pid}`, organization_id });
  const resolver = await admin.resolvers.create({
    name: "sealed",
    project_id: project.id,
    url: "https://api.example/x",
    method: "GET",
    headers: { "X-Secret": [secret] },
    request_content_type: "JSON",
    response_content_type: "JSON",
    response_selector: ".value",
  });
  return { projectId: project.id, resolverId: resolver.id };
};

/** Seals what the session has with another key and back again. */
const checkKeys = async (
  session: ContainerSession,
  operated: ComposeProject,
  { resolverId }: Sealed,
  check: Check,
): Promise<void> => {
  const { environment } = session;
  await reseal(operated, check);
  const alone = { ...operated, env: { ...operated.env, CONFIG_ENCRYPTION_FORMER_KEYS: "" } };
  await step("configs without the former key", () => composeUp(alone, "--no-build", "--no-deps", "configs"));
  const shown = JSON.stringify(await openAdmin(environment).resolvers.get(resolverId));
  check(shown.includes(secret), "what was sealed before opens with the next key alone");
};

/** Starts the suite as an operator has set it, and puts the session's settings back. */
export const checkOperator = async (session: ContainerSession): Promise<Counts> => {
  const { project, environment } = session;
  let counts: Counts = none;
  const check: Check = (passed, text) => {
    counts = add(counts, verdict(passed, text));
  };
  const sealed = await makeSealed(session);
  // Other names of the same servers: what is asked is whether the operator's are the ones that count.
  const stores: Stores = {
    neo4j: `bolt://${project.name}-neo4j-1:7687`,
    redis: `redis://:${project.env["REDIS_PASSWORD"]}@${project.name}-redis-1:6379`,
  };
  const nextKey = randomBytes(32).toString("base64");
  const operated: ComposeProject = {
    ...project,
    env: {
      ...project.env,
      ...Object.fromEntries(Object.entries(chosen).map(([name, { value }]) => [name, value])),
      NEO4J_URI: stores.neo4j,
      REDIS_URL: stores.redis,
      REDIS_MEMORY: `${redisMegabytes}m`,
      LOG_MAX_SIZE: `${logBytes}`,
      LOG_MAX_FILES: String(logFiles),
      CONFIG_ENCRYPTION_KEY: nextKey,
      CONFIG_ENCRYPTION_FORMER_KEYS: project.env["CONFIG_ENCRYPTION_KEY"],
    },
  };
  await step("docker compose up with an operator's settings", () => composeUp(operated, "--no-build"));
  await checkSettings(operated, stores, check);
  await checkMemoryLimits(operated, check);
  await checkLogRotation({ ...session, project: operated }, check);
  await checkLogLevel(operated, check);
  await checkKeys(session, operated, sealed, check);
  const back = { ...project, env: { ...project.env, CONFIG_ENCRYPTION_FORMER_KEYS: nextKey } };
  await step("docker compose up with the settings of before", () => composeUp(back, "--no-build"));
  await reseal(back, check);
  await openAdmin(environment).projects.delete(sealed.projectId);
  return counts;
};
