import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { organizationField, recordField, recordSchemas, streamKey } from "@ikg/audit";
import { newRecord } from "@ikg/audit/testing";
import type { Gid } from "@ikg/contracts";
import { freePort } from "../../../stack/src/ports.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import type { TestProcess } from "../../../stack/src/testing/servers/test-process.ts";
import { startRedisProgram } from "../../../stack/src/testing/servers/test-redis.ts";
import {
  namesOf,
  openTestBed,
  type StoredChain,
  type TestBed,
  verify,
  waitLimits,
} from "./audit-under-test.ts";

/** A Redis that keeps an append-only file, and is replaced by others. */
let port: number;
let folder: string;
let running: TestProcess;
let bed: TestBed;
let service: { readonly url: string; close(): Promise<void> };

const data = (): string => join(folder, "data");

const startRedis = async (): Promise<void> => {
  running = await startRedisProgram(port, [
    "--dir",
    folder,
    "--appendonly",
    "yes",
    "--appenddirname",
    "data",
  ]);
};
/** Ends Redis, does something to its files, and starts it on them. */
const replaced = async (change: () => void): Promise<void> => {
  await running.end("SIGKILL");
  change();
  await startRedis();
  await eventually(
    () => bed.redis.ping().catch(() => undefined),
    (answer) => answer === "PONG",
    waitLimits,
  );
};
const empty = (): void => rmSync(data(), { recursive: true, force: true });

beforeAll(async () => {
  port = await freePort();
  folder = mkdtempSync(join(tmpdir(), "ikg-redis-replaced-"));
  await startRedis();
  const url = `redis://127.0.0.1:${port}`;
  bed = await openTestBed(url);
  service = await bed.start({ REDIS_URL: url, AUDIT_LEASE_MS: "500" });
}, 60_000);
afterAll(async () => {
  await bed.close();
  await running.end("SIGKILL");
  rmSync(folder, { recursive: true });
});

const marker = "audit.streams.replaced";
const chainOf = (project: Gid, last: string): Promise<StoredChain> =>
  bed.chainWith(service.url, project, (names) => names.includes(last));
/** Until the next one is signed, everything waits. */
const pauseWriter = () => service.close();
const resumeWriter = async (): Promise<void> => {
  service = await bed.start({ REDIS_URL: `redis://127.0.0.1:${port}`, AUDIT_LEASE_MS: "500" });
};

it("an empty one: the chain says from when to when records may be missing, whether more come or not", async () => {
  const [busy, quiet] = [bed.project(), bed.project()];
  for (const project of [busy, quiet]) await bed.emit(project, ["a"]);
  for (const project of [busy, quiet]) await chainOf(project, "a");
  await pauseWriter();
  // They are lost with their Redis.
  for (const project of [busy, quiet]) await bed.emit(project, ["lost"]);
  await replaced(empty);
  await bed.emit(busy, ["b"]);
  await resumeWriter();
  const chain = await chainOf(busy, "b");
  expect(namesOf(chain)).toEqual(["a", marker, "b"]);
  const [event] = chain.batches.flatMap(({ data: events }) => events.filter(({ type }) => type === marker));
  expect(recordSchemas[marker].safeParse(event)).toMatchObject({
    success: true,
    data: { outcome: "failed", data: { since: chain.manifests[0]?.created_at } },
  });
  expect(namesOf(await chainOf(quiet, marker))).toEqual(["a", marker]);
  for (const project of [busy, quiet])
    expect((await verify(await bed.read(service.url, project))).failed).toEqual([]);
}, 60_000);

it("an empty one, while the writer runs: once in each chain", async () => {
  const project = bed.project();
  await bed.emit(project, ["a"]);
  await chainOf(project, "a");
  await replaced(empty);
  await chainOf(project, marker);
  await bed.emit(project, ["b"]);
  await chainOf(project, "b");
  await wait(1_000);
  await bed.emit(project, ["c"]);
  expect(namesOf(await chainOf(project, "c"))).toEqual(["a", marker, "b", "c"]);
}, 60_000);

it("an old copy: what it brings back is stored once, what it lost is seen, and nothing unread is removed", async () => {
  const project = bed.project();
  await bed.emit(project, ["a"]);
  await chainOf(project, "a");
  await pauseWriter();
  const old = Array.from({ length: 400 }, (_, index) => `old ${index}`);
  await bed.emit(project, old);
  const copy = join(folder, "copy");
  await wait(1_500); // the append-only file is written once a second
  cpSync(data(), copy, { recursive: true });
  await resumeWriter();
  await chainOf(project, "old 399");
  await bed.drained(project);
  // After the copy: a record that is stored, and one that is lost with its Redis.
  await bed.emit(project, ["stored"]);
  await chainOf(project, "stored");
  await pauseWriter();
  await bed.emit(project, ["lost"]);
  await replaced(() => {
    empty();
    cpSync(copy, data(), { recursive: true });
  });
  await bed.emit(project, ["after"]);
  await resumeWriter();
  const chain = await chainOf(project, "after");
  expect(namesOf(chain)).toEqual(["a", ...old, "stored", marker, "after"]);
  expect((await verify(chain)).failed).toEqual([]);
  await bed.drained(project);
}, 90_000);

it("one whose clock is a day behind: every record is stored, in order", async () => {
  const project = bed.project();
  // The former clock: ids of a day ahead, which the chain knows as its position.
  const ahead = Date.now() + 86_400_000;
  for (const [index, name] of ["a", "b"].entries())
    await bed.redis.xadd(
      streamKey(project),
      `${ahead + index}-0`,
      ...[recordField, JSON.stringify(newRecord(project, name)), organizationField, bed.organization],
    );
  await bed.redis.sadd("audit:chains", project);
  await chainOf(project, "b");
  await pauseWriter();
  await replaced(empty);
  const names = Array.from({ length: 300 }, (_, index) => `late ${index}`);
  await bed.emit(project, names);
  await resumeWriter();
  const chain = await chainOf(project, "late 299");
  expect(namesOf(chain)).toEqual(["a", "b", marker, ...names]);
  await bed.emit(project, ["last"]);
  expect(namesOf(await chainOf(project, "last")).at(-1)).toBe("last");
  expect((await verify(await bed.read(service.url, project))).failed).toEqual([]);
}, 60_000);
