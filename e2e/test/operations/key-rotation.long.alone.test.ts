import { spawn } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { tryParseJson } from "@ikg/contracts/values";
import { inRepository } from "../../../stack/src/repository.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { startRedis } from "../../../stack/src/testing/servers/test-redis.ts";
import { documentedCommands } from "../../../stack/src/testing/suites/documented-commands.ts";
import {
  addDatabaseUser,
  addRedisPassword,
  removeDatabaseUser,
  removeRedisPassword,
  setRedisPassword,
} from "../../../stack/src/testing/suites/store-passwords.ts";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { runShell } from "../../src/cli/run-shell.ts";
import { createCredential } from "../../src/configuration/create-credential.ts";
import { createMcpTenant, mcpPath, type McpTenant, meta, modernVersion } from "../../src/mcp/mcp.ts";
import { asAccount as configsOf } from "../../src/requests/account.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { type ConfigRecord, configs } from "../../src/requests/configs.ts";
import { type RollingSuite, startRollingSuite } from "../../src/suites/rolling-suite.ts";

/**
 * Every key of docs/operations.md, "Rotate a key", changed by the commands of that section, while every service is asked without a pause: before,
 * meanwhile and afterwards. Nothing of it fails.
 */
const platformKey = (): string =>
  JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }));

const redisPasswords = ["former-password", "next-password"] as const;
const databaseUser = `rotation${process.pid}`;
const databasePassword = randomBytes(12).toString("hex");

const folder = mkdtempSync(join(tmpdir(), "ikg-rotation-"));
const envFile = join(folder, ".env");

let suite: RollingSuite;
let cars: McpTenant;
let resolver: string;
let bearer: string;

const neo4j = neo4jOfTests();
const runRedis = async () => {
  const redis = await startRedis();
  return { ...redis, url: await setRedisPassword(redis.url, redisPasswords[0]) };
};

beforeAll(async () => {
  suite = await startRollingSuite({}, { runRedis });
  cars = await createMcpTenant("rotation");
  bearer = await cars.issuer.sign("ann", { exp: Math.floor(Date.now() / 1000) + 3_600 });
  const { id } = await openAdmin().resolvers.create({
    name: "sealed",
    project_id: cars.projectId,
    url: "https://api.example/x",
    method: "GET",
    headers: { "X-Secret": ["sealed before"] },
    request_content_type: "JSON",
    response_content_type: "JSON",
    response_selector: ".value",
  });
  resolver = id;
}, 300_000);
afterAll(async () => {
  if (callers !== undefined)
    await configsOf(
      { organizationId: suite.foundation.organizationId, token: callers.accountToken },
      `/projects/${cars.projectId}`,
      {
        method: "DELETE",
      },
    );
  await suite?.close();
  await removeDatabaseUser(neo4j, databaseUser);
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

interface Got {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** One request on a connection of its own: what breaks off on a kept one is for clients to repeat. */
const ask = async (path: string, headers: Readonly<Record<string, string>>, json?: unknown): Promise<Got> => {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const clientRequest = request(`${suite.gateway}${path}`, {
    agent: false,
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    signal: AbortSignal.timeout(30_000),
  });
  clientRequest.end(body);
  const [answer] = (await once(clientRequest, "response")) as [IncomingMessage];
  let text = "";
  for await (const piece of answer.setEncoding("utf8")) text += String(piece);
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
};

const evaluation = {
  subject: { type: "Person", id: "ann" },
  action: { name: "DRIVE" },
  resource: { type: "Car", id: "red" },
};
const searchOf = (page: object) => ({ ...evaluation, resource: { type: "Car" }, page });
/** A page token without a page before it. */
const beginSearch = async (): Promise<string> => {
  const { text } = await ask("/access/v1/search/resource", asAgent(), searchOf({ limit: 0 }));
  return (JSON.parse(text) as { page: { next_token: string } }).page.next_token;
};
const write = (number: number): Promise<Got> => {
  const nodes = [{ type: "Bike", external_id: `b${number % 50}` }];
  return ask("/capture/v1/nodes", asAgent(), { nodes });
};
const tokenOf = ({ headers }: Got): string => String(headers["x-consistency-token"] ?? "");

/** Who asks, and with what; a rotation ends with callers that have moved. */
interface Callers {
  readonly agentKey: string;
  readonly accountToken: string;
}
let callers: Callers | undefined;
const asAgent = () => ({ "x-svc-clientkey": callers?.agentKey ?? "" });
const asAccount = () => ({ authorization: `Bearer ${callers?.accountToken}` });

/** Issued before the rotation, used until the former key goes. */
let pageToken: string;
let consistencyToken: string;
let captured = 0;
let latest = "";

const holds = (condition: boolean, got: Got): string | undefined =>
  condition ? undefined : `${got.status} ${got.text.slice(0, 200)}`;

/** Each says what was wrong with its answer; undefined: nothing. */
const requests: Readonly<Record<string, () => Promise<string | undefined>>> = {
  evaluation: async () => {
    const got = await ask("/access/v1/evaluation", asAgent(), evaluation);
    return holds(got.text.startsWith('{"decision":true'), got);
  },
  "page of a search": async () => {
    const got = await ask("/access/v1/search/resource", asAgent(), searchOf({ token: pageToken }));
    return holds(got.status === 200 && got.text.includes('"red"'), got);
  },
  "read after a write": async () => {
    const headers = { ...asAgent(), "x-consistency-token": latest || consistencyToken };
    const got = await ask("/access/v1/evaluation", headers, evaluation);
    return holds(got.status === 200, got);
  },
  "read after an old write": async () => {
    const headers = { ...asAgent(), "x-consistency-token": consistencyToken };
    const got = await ask("/access/v1/evaluation", headers, evaluation);
    return holds(got.status === 200, got);
  },
  capture: async () => {
    const got = await write(++captured);
    latest = tokenOf(got);
    return holds(got.status === 200 && latest !== "", got);
  },
  query: async () => {
    const headers = { ...asAgent(), authorization: `Bearer ${bearer}` };
    const input = { id: cars.queryId, input_params: { limit: 100 } };
    const got = await ask("/ciq/v1/execute", headers, input);
    return holds(got.status === 200 && got.text.includes('"red"'), got);
  },
  "sealed value": async () => {
    const got = await ask(`/configs/v1/external-data-resolvers/${resolver}`, asAccount());
    return holds(got.status === 200 && got.text.includes("sealed before"), got);
  },
  tool: async () => {
    const headers = {
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${bearer}`,
      "mcp-protocol-version": modernVersion,
      "mcp-method": "tools/call",
      "mcp-name": "authzen_evaluate",
    };
    const params = { _meta: meta(), name: "authzen_evaluate", arguments: evaluation };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const got = await ask(mcpPath(cars.projectId), headers, message);
    return holds(got.status === 200 && /"decision":\s*true/.test(got.text), got);
  },
  audit: async () => {
    const got = await ask(`/audit/v1/checkpoints?project_id=${cars.projectId}`, asAccount());
    return holds(got.status === 200, got);
  },
};

const ownServiceAccount = async (): Promise<string> => {
  const list = await configs(`/service-accounts?organization_id=${suite.foundation.organizationId}`);
  const [account] = (list.body as { readonly data: readonly ConfigRecord[] }).data;
  return account?.id ?? "";
};

/** `npm run reseal`; records of other suites on the same database, which no key of this one opens, stay as they are. */
const reseal = async (settings: Readonly<Record<string, string>>): Promise<void> => {
  const program = join(inRepository("services", "configs"), "src", "reseal.ts");
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env["PATH"], ...suite.foundation.variables, ...settings },
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(child, "close");
  expect(output).toMatch(/[1-9]\d* re-encrypted/);
};

/** Five callers that send every kind of request in turn until they are stopped. */
class Load {
  /** What happens to the suite meanwhile. */
  phase = "before";
  readonly failures = new Map<string, number>();
  readonly sent = new Map<string, number>();
  readonly #over = new AbortController();
  readonly #callers = Array.from({ length: 5 }, (_, n) => this.#call(n * 2));

  /** Waits until each kind was sent at least once in this phase. */
  async everythingSent(): Promise<void> {
    await eventually(
      () => names.filter((name) => !this.sent.has(`${this.phase}, ${name}`)),
      (missing) => missing.length === 0,
      { withinMs: 300_000, everyMs: 100 },
    );
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#callers);
  }

  async #call(first: number): Promise<void> {
    for (let turn = first; !this.#over.signal.aborted; turn++) {
      const name = names[turn % names.length] ?? "";
      const { phase } = this;
      count(this.sent, `${phase}, ${name}`);
      const failure = await requests[name]?.().catch((error: unknown) => String(error));
      if (failure !== undefined) count(this.failures, `${phase}, ${name}: ${failure}`);
      await pause(10);
    }
  }
}

const names = Object.keys(requests);
const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

/** What the former and the next keys are accepted by. */
const accepting = ["TOKEN_SEALING_FORMER_KEYS", "CREDENTIAL_FORMER_PEPPERS", "CONFIG_ENCRYPTION_FORMER_KEYS"];

/**
 * Runs the commands of a step; `docker compose up` is for the caller to do, by restarting the processes.
 *
 * @returns what `.env` says of the keys after that.
 */
const rotate = async (step: "accept" | "use" | "drop"): Promise<Readonly<Record<string, string>>> => {
  const commands = documentedCommands(`rotate a key, ${step}`);
  const env = { PATH: process.env["PATH"], ENV_FILE: envFile };
  const run = await runShell(`set -eu\ndocker() { echo "docker $*"; }\n${commands}`, {
    cwd: inRepository(),
    env,
  });
  expect(run).toEqual({ code: 0, output: "docker compose up --wait\n", errors: "" });
  const lines = readFileSync(envFile, "utf8").trim().split("\n");
  const written = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s) as [string, string]));
  return { ...Object.fromEntries(accepting.map((name) => [name, ""])), ...written };
};

interface Rolled {
  /** With the next password. */
  readonly redisUrl: string;
  /** The keys in use, and those that are accepted. */
  readonly keys: Readonly<Record<string, string>>;
}

/** Every process accepts the next keys before any process uses them. */
const rollToNextKeys = async (load: Load): Promise<Rolled> => {
  const { REDIS_URL = "" } = suite.foundation.variables;
  const redisUrl = REDIS_URL.replace(redisPasswords[0], redisPasswords[1]);

  load.phase = "every process accepts the next keys";
  await suite.roll(await rotate("accept"));

  load.phase = "every process uses the next keys";
  await addRedisPassword(REDIS_URL, redisPasswords[1]);
  await addDatabaseUser(neo4j, databaseUser, databasePassword);
  const keys = await rotate("use");
  await suite.roll({
    ...keys,
    AUDIT_PLATFORM_KEY_JWK: platformKey(),
    REDIS_URL: redisUrl,
    NEO4J_USERNAME: databaseUser,
    NEO4J_PASSWORD: databasePassword,
  });
  return { redisUrl, keys };
};

/**
 * Issues new credentials and seals stored secrets with the next key.
 *
 * @returns a page token that a former key has signed
 */
const replaceWhatFormerKeysMade = async (load: Load, { redisUrl, keys }: Rolled): Promise<string> => {
  load.phase = "what the former keys made is made anew";
  await removeRedisPassword(redisUrl, redisPasswords[0]);
  const made = await openAdmin().serviceAccountCredentials.create({
    service_account_id: await ownServiceAccount(),
  });
  callers = {
    agentKey: (await createCredential(cars.agentId)).key,
    accountToken: (made["service_account_config"] as { token: string }).token,
  };
  await reseal({
    NEO4J_USERNAME: databaseUser,
    NEO4J_PASSWORD: databasePassword,
    CONFIG_ENCRYPTION_KEY: keys["CONFIG_ENCRYPTION_KEY"] ?? "",
    CONFIG_ENCRYPTION_FORMER_KEYS: keys["CONFIG_ENCRYPTION_FORMER_KEYS"] ?? "",
  });
  const formerPageToken = pageToken;
  pageToken = await beginSearch();
  consistencyToken = tokenOf(await write(0));
  await pause(1_000);
  return formerPageToken;
};

const requireFormerKeysRefused = async (formerPageToken: string): Promise<void> => {
  expect((await ask("/access/v1/evaluation", { "x-svc-clientkey": cars.key }, evaluation)).status).toBe(401);
  const old = await ask("/access/v1/search/resource", asAgent(), searchOf({ token: formerPageToken }));
  expect([old.status, tryParseJson(old.text)]).toEqual([
    400,
    { message: "Bad Request", errors: ["page.token: not a token of this search"] },
  ]);
};

it("no request fails while every key is changed", async () => {
  callers = { agentKey: cars.key, accountToken: suite.foundation.token };
  pageToken = await beginSearch();
  consistencyToken = tokenOf(await write(0));

  const ofKeys = Object.entries(suite.foundation.variables).filter(([name]) =>
    /^(GATEWAY|MCP)_|^(TOKEN_SEALING_KEY|CREDENTIAL_PEPPER|CONFIG_ENCRYPTION_KEY)$/.test(name),
  );
  writeFileSync(envFile, ofKeys.map(([name, value]) => `${name}=${value}\n`).join(""), { mode: 0o600 });
  const load = new Load();
  try {
    await load.everythingSent();
    const formerPageToken = await replaceWhatFormerKeysMade(load, await rollToNextKeys(load));
    load.phase = "no process knows the former keys";
    await suite.roll(await rotate("drop"));

    load.phase = "after";
    await load.everythingSent();
    await requireFormerKeysRefused(formerPageToken);
  } finally {
    await load.stop();
  }
  const { failures, sent } = load;
  process.stdout.write(`requests: ${JSON.stringify(Object.fromEntries(sent))}\n`);
  expect(Object.fromEntries(failures)).toEqual({});
  const phases = ["before", "every process uses the next keys", "after"];
  const missing = phases
    .flatMap((each) => names.map((name) => `${each}, ${name}`))
    .filter((each) => !sent.has(each));
  expect(missing).toEqual([]);
}, 600_000);
