import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Ikg, IkgAdmin } from "@ikg/client";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { askDatabase } from "../../../stack/src/data-set/database.ts";
import { inRepository } from "../../../stack/src/repository.ts";
import { type Killable, openKillable } from "../../../stack/src/testing/servers/killable.ts";
import { startRedis, type TestRedis } from "../../../stack/src/testing/servers/test-redis.ts";
import { documentedCommands } from "../../../stack/src/testing/suites/documented-commands.ts";
import { runShell, type ShellRun } from "../../src/cli/run-shell.ts";
import { createFoundation, type Foundation } from "../../src/suites/foundation.ts";
import { type Side, startSide } from "../../src/suites/start-side.ts";

/**
 * The commands of docs/operations.md, "Backup and restore": a suite that is written to is copied, restored into an empty
 * database, and started there with empty queues and the same keys.
 */
const secret = "sealed before the backup";
const settings = { AUDIT_BATCH_MS: "300" };

let [source, target]: (Killable | undefined)[] = [];
let targetRedis: TestRedis;
let foundation: Foundation;
let suite: Side;
let restored: Side | undefined;
let project: TestProject;
let resolver: string;
let folder: string;

const airfield = (path: string): string => inRepository("examples", "airfield", path);
const databaseOf = (neo4j: Killable | undefined) => {
  if (neo4j === undefined) throw new Error("no database");
  return { NEO4J_URI: neo4j.url, NEO4J_USERNAME: neo4j.username, NEO4J_PASSWORD: neo4j.password };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ikg-backup-"));
  [source, target] = [await openKillable(), await openKillable()];
  targetRedis = await startRedis();
  const { url: uri, username, password } = source;
  foundation = await createFoundation({ neo4j: { uri, username, password } });
  suite = await startSide({ ...foundation.variables, ...settings });
  project = await createTestProject({
    baseUrl: suite.gateway,
    token: foundation.token,
    name: "copied",
    graph: [airfield("nodes.json"), airfield("relationships.json")],
    policies: airfield("policies"),
  });
  const made = await project.admin.resolvers.create({
    name: "sealed",
    url: "https://api.example/x",
    method: "GET",
    headers: { "X-Secret": [secret] },
    request_content_type: "JSON",
    response_content_type: "JSON",
    response_selector: ".value",
  });
  resolver = made.id;
}, 600_000);
afterAll(async () => {
  const processes = [suite, restored].flatMap((side) => [...(side?.processes.values() ?? [])]);
  await Promise.all(processes.map(({ running }) => running.end("SIGKILL")));
  await targetRedis?.close();
  await foundation?.redis.close();
  for (const each of [source, target]) await each?.remove();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

const key = randomBytes(32).toString("base64");

/** Runs commands in the repository, as an operator of a database does. */
const run = (script: string, neo4j: Killable | undefined, more: NodeJS.ProcessEnv = {}): Promise<ShellRun> =>
  runShell(script.replaceAll("/backups", folder), {
    cwd: inRepository(),
    env: { PATH: process.env["PATH"], HOME: folder, BACKUP_KEY: key, ...databaseOf(neo4j), ...more },
  });

const linesOf = ({ errors }: ShellRun): readonly string[] => errors.split("\n").filter((line) => line !== "");

interface Mark {
  readonly id: string;
  /** When its capture was acknowledged. */
  readonly at: number;
}

/** Captures nodes until it is stopped. */
const startWriting = (): { readonly marks: readonly Mark[]; stop(): Promise<void> } => {
  const marks: Mark[] = [];
  const over = new AbortController();
  const write = async (): Promise<void> => {
    for (let number = 0; !over.signal.aborted; number++) {
      const id = `mark-${number}`;
      await project.ikg.capture.nodes([{ type: "Mark", external_id: id }]);
      marks.push({ id, at: Date.now() });
      await pause(10);
    }
  };
  const writing = write();
  return {
    marks,
    stop: async () => {
      over.abort();
      await writing;
    },
  };
};

const pilots = ["amelia", "louis"];
const aircraft = ["N211", "N950"];

const decisionsOf = (ikg: Ikg): Promise<readonly boolean[]> =>
  Promise.all(
    pilots.flatMap((id) =>
      aircraft.map((model) =>
        ikg
          .as({ type: "Pilot", id })
          .can("FLY", { type: "Aircraft", id: model }, { params: { min_hours: 100 } }),
      ),
    ),
  );

const ask = (
  neo4j: Killable | undefined,
  text: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { NEO4J_URI: uri, NEO4J_USERNAME: username, NEO4J_PASSWORD: password } = databaseOf(neo4j);
  return askDatabase({ uri, username, password }, text);
};

const countIn = async (neo4j: Killable | undefined): Promise<unknown> => {
  const [row] = await ask(neo4j, "MATCH (n) RETURN count(n) AS found");
  return row?.["found"];
};

/** The last line of a restore. */
const done = "restore: done: everything is as it was copied, and every audit chain verifies";

const endRestored = async (): Promise<void> => {
  const processes = [...(restored?.processes.values() ?? [])];
  await Promise.all(processes.map(({ running }) => running.end()));
  restored = undefined;
};

/** Constraints and indexes stay, as in a database that was prepared. */
const empty = async (neo4j: Killable | undefined): Promise<void> => {
  await ask(neo4j, "MATCH (n) DETACH DELETE n");
};

let marks: readonly Mark[];
/** When the project was as it was copied. */
let moment: number;

describe("ikg backup and ikg restore", () => {
  it("copy a deployment while it is written to, and read the copy again", async () => {
    const writing = startWriting();
    await pause(1_000);
    const made = await run(documentedCommands("backup"), source);
    await writing.stop();
    ({ marks } = writing);
    process.stdout.write(made.errors);
    expect(made.code).toBe(0);
    expect(made.errors).toMatch(/^backup: done: \d+ units, \d+ audit chains$/m);
    expect(made.errors).toMatch(/^restore: the backup is whole; nothing was restored$/m);
    expect(readdirSync(folder)).toContain("monday.ikg");
    const line = linesOf(made).find((each) => each.startsWith(`backup: ${project.id}: `)) ?? "";
    const [, at = ""] = / as of ([^,\s]+)/.exec(line) ?? [];
    moment = Date.parse(at);
    expect(marks.filter((mark) => mark.at < moment).length).toBeGreaterThan(10);
  }, 180_000);

  const damaged = (change: (bytes: Buffer) => Buffer): string => {
    const file = join(folder, "damaged.ikg");
    writeFileSync(file, change(Buffer.from(readFileSync(join(folder, "monday.ikg")))));
    return `npm run --silent ikg -- restore --in ${file}`;
  };
  const restore = "npm run --silent ikg -- restore --in /backups/monday.ikg";

  it.each<[string, () => string, NodeJS.ProcessEnv, RegExp]>([
    [
      "a folder that there is not",
      () => "npm run --silent ikg -- backup --out /backups/none/monday.ikg",
      {},
      /^backup: \S+\/none\/monday\.ikg\.part cannot be written: ENOENT/,
    ],
    [
      "what a backup that was killed has left",
      () => {
        writeFileSync(join(folder, "wednesday.ikg.part"), "");
        return "npm run --silent ikg -- backup --out /backups/wednesday.ikg";
      },
      {},
      /^backup: \S+\/wednesday\.ikg\.part cannot be written: it is there: remove it unless another backup /,
    ],
    [
      "a database that does not answer",
      () => "npm run --silent ikg -- backup --out /backups/tuesday.ikg",
      { NEO4J_URI: "bolt://127.0.0.1:1" },
      /^backup: Neo4j at bolt:\/\/127\.0\.0\.1:1 cannot be used: /,
    ],
    ["no key", () => restore, { BACKUP_KEY: undefined }, /^restore: BACKUP_KEY: required but not set$/],
    ["a file that there is not", () => restore.replace("monday", "friday"), {}, /^restore: ENOENT: .*friday/],
    [
      "another key",
      () => restore,
      { BACKUP_KEY: randomBytes(32).toString("base64") },
      /^restore: the backup does not open: it was sealed by another key, or changed$/,
    ],
    [
      "a file that was changed",
      () =>
        damaged((bytes) => {
          const at = bytes.length - 100;
          bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
          return bytes;
        }),
      {},
      /^restore: the backup (does not open|was changed)/,
    ],
    [
      "a file that is cut off",
      () => damaged((bytes) => bytes.subarray(0, bytes.length - 1)),
      {},
      /^restore: the backup .*cut off$/,
    ],
    [
      "a file that is no backup",
      () => "npm run --silent ikg -- restore --in package.json",
      {},
      /^restore: this file is not a backup$/,
    ],
  ])(
    "say in one line what is wrong with %s, and write nothing",
    async (_what, script, variables, line) => {
      const before = await countIn(target);
      const refused = await run(script(), target, variables);
      expect(linesOf(refused)).toEqual([expect.stringMatching(line)]);
      expect([refused.code, refused.output]).toEqual([2, ""]);
      expect(await countIn(target)).toEqual(before);
      expect(readdirSync(folder).filter((name) => name.includes("tuesday"))).toEqual([]);
    },
    60_000,
  );

  it("restore the copy into an empty database, and into no other one", async () => {
    const first = await run(documentedCommands("restore"), target);
    process.stdout.write(first.errors);
    expect([first.code, linesOf(first).at(-1)]).toEqual([0, done]);
    const again = await run(restore, target);
    expect([again.code, linesOf(again).at(-1)]).toEqual([
      2,
      "restore: the database holds data; restore into an empty one",
    ]);
  }, 180_000);

  it("give a suite that decides, knows its secrets and has every write of before the moment of the copy", async () => {
    const variables = { ...foundation.variables, ...databaseOf(target), REDIS_URL: targetRedis.url };
    restored = await startSide({ ...variables, ...settings });
    const { gateway: baseUrl } = restored;
    const ikg = new Ikg({ baseUrl, clientKey: project.clientKey });
    expect(await decisionsOf(ikg)).toEqual(await decisionsOf(project.ikg));
    expect(await decisionsOf(ikg)).toEqual([true, false, false, false]);
    const admin = new IkgAdmin({ baseUrl, token: foundation.token, project: project.id });
    expect(JSON.stringify(await admin.resolvers.get(resolver))).toContain(secret);
    const there = new Set<string>();
    for await (const line of ikg.capture.export())
      if ("node" in line && line.node.type === "Mark") there.add(line.node.external_id);
    expect(marks.filter(({ id, at }) => at < moment && !there.has(id))).toEqual([]);
  }, 120_000);

  // What docker compose does is not their matter.
  const withoutCompose = (commands: string): string => `set -e\ndocker() { :; }\n${commands}`;

  it("move a deployment to another database", async () => {
    await endRestored();
    await empty(target);
    const { NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD } = databaseOf(target);
    const next = { NEXT_URI: NEO4J_URI, NEXT_USERNAME: NEO4J_USERNAME, NEXT_PASSWORD: NEO4J_PASSWORD };
    const moved = await run(withoutCompose(documentedCommands("move to another database")), source, next);
    expect([moved.code, linesOf(moved).at(-1)]).toEqual([0, done]);
  }, 180_000);

  it("take a deployment over in a second region", async () => {
    await empty(target);
    const copied = await run(documentedCommands("copy to a second region"), source);
    expect([copied.code, readdirSync(folder).filter((name) => name.startsWith("region"))]).toEqual([
      0,
      ["region.ikg"],
    ]);
    const taken = await run(withoutCompose(documentedCommands("take over in a second region")), target);
    expect([taken.code, linesOf(taken).at(-1)]).toEqual([0, done]);
  }, 180_000);
});
