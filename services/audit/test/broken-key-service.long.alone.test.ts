import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openEmission, streamKey, waitingKey } from "@ikg/audit";
import { newRecord } from "@ikg/audit/testing";
import type { Gid } from "@ikg/contracts";
import { median } from "../../../stack/src/measurement/statistics.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { metricsIn } from "../../../stack/src/testing/suites/read-metrics.ts";
import { freePort } from "../../../stack/src/ports.ts";
import {
  namesOf,
  openCountedEmission,
  openTestBed,
  type StoredChain,
  type TestBed,
  verify,
  waitLimits,
} from "./audit-under-test.ts";
import { startAws } from "./key-services/aws.ts";
import { newCloudKey } from "./key-services/cloud-key.ts";
import type { KeyService } from "./key-services/key-service.ts";

/** An hour passes so many times as fast: its records, and the pauses between two attempts to sign. */
const speed = 30;
/** How long one project has load while its key service works: what others are compared with. */
const msBefore = 15_000;
/** How long it cannot be signed. */
const outageMs = 3_600_000 / speed;
/** Records that the project emits in a second, whatever becomes of them: in that hour 10 in a second, 36,000 in all. */
const perSecond = 10 * speed;
/** Bytes of all projects that may wait in Redis: less than half of what is emitted, and enough for the change of writers. */
const totalBytes = 2_000_000;

let bed: TestBed;
let aws: KeyService;
let broken: Gid;
let light: Gid;
let service: { readonly url: string; close(): Promise<void> };
let variables: Readonly<Record<string, string>>;

const open = async (): Promise<void> => {
  process.env["AWS_ACCESS_KEY_ID"] = "AKIATEST";
  process.env["AWS_SECRET_ACCESS_KEY"] = "deployment-secret";
  aws = await startAws(newCloudKey("ES256"));
  bed = await openTestBed();
  [broken, light] = [bed.project(), bed.project()];
  variables = {
    AUDIT_AWS_KMS_ENDPOINT: aws.address,
    AUDIT_AWS_STS_ENDPOINT: aws.address,
    AUDIT_WAITING_BYTES: String(totalBytes),
    // The defaults, 5 s and 5 min.
    AUDIT_RETRY_MIN_MS: String(Math.round(5_000 / speed)),
    AUDIT_RETRY_MAX_MS: String(300_000 / speed),
    METRICS_PORT: String(await freePort()),
  };
  service = await bed.start(variables);
  await bed.configure(broken, {
    provider: "CUSTOMER_AWS_KMS",
    keyResource: "arn:aws:kms:eu-central-1:111122223333:key/k",
    kid: "broken",
    authParams: { role_arn: "arn:aws:iam::111122223333:role/audit" },
  });
};
const close = async (): Promise<void> => {
  await bed.close();
  await aws.close();
};

const chainOf = (project: Gid, records: number): Promise<StoredChain> =>
  bed.chainWith(
    service.url,
    project,
    (names) => names.filter((name) => !name.startsWith("audit.")).length >= records,
    300_000,
  );

const spilledOf = async (project: Gid) => {
  const [row] = await bed.run(
    "MATCH (c:_AuditChain {project_id: $project}) RETURN coalesce(c.spilled, 0) AS count, coalesce(c.spilled_bytes, 0) AS bytes",
    { project },
  );
  return { count: Number(row?.["count"]), bytes: Number(row?.["bytes"]) };
};

/** A metric of the writer that runs now. */
const metricOf = async (name: string): Promise<number> => {
  const address = `http://127.0.0.1:${variables["METRICS_PORT"]}/metrics`;
  return metricsIn(await (await fetch(address)).text()).total(name);
};
const spilledBytes = (): Promise<number> => metricOf("ikg_audit_spilled_bytes");

/** Records of the broken project that are emitted together. */
const together = 20;
const text = "x".repeat(500);

type Emit = ReturnType<typeof openCountedEmission>["emit"];

/** Emits records of the broken project at a rate for a time, and appends their names. @returns how many in a second */
const emitAtRate = async (emit: Emit, names: string[], marker: string, ms: number): Promise<number> => {
  const began = performance.now();
  const before = names.length;
  for (let due = began; due < began + ms; due += (together / perSecond) * 1_000) {
    await wait(Math.max(0, due - performance.now()));
    const more = Array.from({ length: together }, (_, at) => `${names.length + at} ${marker} ${text}`);
    names.push(...more);
    await Promise.all(more.map((name) => emit(newRecord(broken, name), bed.organization)));
  }
  return ((names.length - before) / (performance.now() - began)) * 1_000;
};

/** What another project's records take until they are signed, and the most that waited in Redis meanwhile. */
interface LightLoad {
  readonly before: number[];
  readonly during: number[];
  most: number;
}

const loadLightly = async (emit: Emit, load: LightLoad, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    const delays = aws.mood === "denies" ? load.during : load.before;
    const began = performance.now();
    await emit(newRecord(light, "light"), bed.organization);
    await bed.drained(light);
    delays.push(performance.now() - began);
    load.most = Math.max(load.most, Number(await bed.redis.get("audit:waiting-total")));
  }
};

const replaceWriter = async (): Promise<void> => {
  await service.close();
  service = await bed.start(variables);
};

/** What others may wait longer than before, besides twice as long: a batch that is retried comes between. */
const allowedMs = 100;

/** Attempts to sign of one writer in half of the hour; without growing pauses there would be hundreds. */
const maxAttempts = 40;

/** Bounds that a few thousand records reach. */
const bounds = { spilledBytes: 1_000_000, projectBytes: 600_000 };

/** Emits records of a project until some are refused. @returns the names of the others, and why these were refused */
const emitUntilRefused = async (
  project: Gid,
): Promise<{ readonly kept: readonly string[]; readonly reasons: ReadonlySet<unknown> }> => {
  // Reasons by the ids of records.
  const refused = new Map<unknown, unknown>();
  const { emit } = openEmission({
    redis: bed.redis,
    log: { error: (_message, { id, reason }) => void refused.set(id, reason) },
    deadlineMs: 10_000,
    onLost: () => undefined,
  });
  const emitted: { readonly id: string; readonly name: string }[] = [];
  while (refused.size < 2 * together) {
    const more = Array.from({ length: together }, (_, at) => `${emitted.length + at} ${text}`);
    const records = more.map((name) => newRecord(project, name));
    records.forEach(({ id }, at) => emitted.push({ id, name: more[at] ?? "" }));
    await Promise.all(records.map((record) => emit(record, bed.organization)));
    // Redis accepts more as soon as the writer has sealed what waits there, until the limit of sealed bytes is reached.
    await eventually(
      async () => ({
        inRedis: Number(await bed.redis.hget(waitingKey, project)),
        sealed: (await spilledOf(project)).bytes,
      }),
      ({ inRedis, sealed }) => inRedis < bounds.projectBytes / 2 || sealed >= bounds.spilledBytes,
      waitLimits,
    );
  }
  const kept = emitted.filter(({ id }) => !refused.has(id)).map(({ name }) => name);
  return { kept, reasons: new Set(refused.values()) };
};

const restartBounded = async (): Promise<void> => {
  await service.close();
  service = await bed.start({
    ...variables,
    AUDIT_SPILLED_BYTES: String(bounds.spilledBytes),
    LIMIT_AUDIT_WAITING_BYTES: String(bounds.projectBytes),
  });
  await eventually(
    async () => Number(await bed.redis.hget("audit:bounds", "project")),
    (bytes) => bytes === bounds.projectBytes,
    waitLimits,
  );
};

describe("a project whose key service is down while it has load", () => {
  beforeAll(open, 60_000);
  afterAll(close);

  it(
    `fills no Redis, costs other projects nothing, and loses no record of an hour with 10 in a second, ${speed} times as fast`,
    async () => {
      const { emit, lost } = openCountedEmission(bed.redis);
      await emit(newRecord(broken, "before"), bed.organization);
      await chainOf(broken, 1);

      const names: string[] = [];
      const marker = randomUUID();
      const over = new AbortController();
      const load: LightLoad = { before: [], during: [], most: 0 };
      const lightLoad = loadLightly(emit, load, over.signal);
      await emitAtRate(emit, names, marker, msBefore);
      aws.mood = "denies";
      // Another writer takes over in the middle, while records go on coming.
      const [rate] = await Promise.all([
        emitAtRate(emit, names, marker, outageMs),
        wait(outageMs / 2).then(replaceWriter),
      ]);
      over.abort();
      await lightLoad;
      const { before, during, most } = load;
      const spilled = await spilledOf(broken);
      const [pending, attempts] = [
        await metricOf("audit_signing_pending_seconds"),
        await metricOf("ikg_audit_signing_failures_total"),
      ];
      const [sealed] = await bed.run(
        "MATCH (s:_AuditSpill) WHERE s.key STARTS WITH $project RETURN s.sealed AS sealed LIMIT 1",
        { project: broken },
      );
      process.stdout.write(
        `${names.length} records, ${Math.round(rate)} in a second, ${Math.round(spilled.bytes / 1_000)} KB in ${spilled.count} sealed batches, at most ` +
          `${Math.round(most / 1_000)} KB in Redis, ${attempts} attempts to sign of the second writer; light records: median ${Math.round(median(before))} ms of ${before.length} before, ` +
          `${Math.round(median(during))} ms of ${during.length} during the outage, slowest ${Math.round(Math.max(...during))} ms\n`,
      );
      expect(rate).toBeGreaterThan(0.9 * perSecond);
      expect(lost()).toBe(0);
      expect(await spilledBytes()).toBeGreaterThan(2 * totalBytes);
      expect(spilled.bytes).toBeGreaterThan(2 * totalBytes);
      expect(most).toBeLessThan(totalBytes);
      // What the alert IkgAuditNotSigned looks at; the second writer knows since when.
      expect(pending).toBeGreaterThan((0.9 * outageMs) / 1_000);
      expect(attempts).toBeGreaterThan(2);
      expect(attempts).toBeLessThan(maxAttempts);
      expect(String(sealed?.["sealed"])).not.toContain(marker);
      expect(Math.min(before.length, during.length)).toBeGreaterThan(20);
      expect(median(during)).toBeLessThan(2 * median(before) + allowedMs);

      aws.mood = "well";
      const recovered = performance.now();
      // The chain is large: it is read once, when nothing waits for it.
      await eventually(
        async () => [(await spilledOf(broken)).count, await bed.redis.xlen(streamKey(broken))],
        (left) => left.every((count) => count === 0),
        { ...waitLimits, withinMs: 300_000 },
      );
      process.stdout.write(`all of them are signed ${Math.round(performance.now() - recovered)} ms after\n`);
      const chain = await chainOf(broken, names.length + 1);
      expect(namesOf(chain).filter((name) => !name.startsWith("audit."))).toEqual(["before", ...names]);
      expect((await verify(chain)).failed).toEqual([]);
      expect(Math.max(...chain.batches.map(({ data }) => data.length))).toBeLessThanOrEqual(256);
      expect(await spilledOf(broken)).toEqual({ count: 0, bytes: 0 });
      await eventually(spilledBytes, (bytes) => bytes === 0, waitLimits);
      expect(new Set(chain.manifests.map(({ kid }) => kid))).toEqual(new Set(["broken"]));
    },
    msBefore + outageMs + 400_000,
  );

  it("keeps its sealed records in their order: one that was moved or changed opens nowhere", async () => {
    const project = bed.project();
    await bed.configure(project, {
      provider: "CUSTOMER_AWS_KMS",
      keyResource: "arn:aws:kms:eu-central-1:111122223333:key/k",
      kid: "moved",
      authParams: { role_arn: "arn:aws:iam::111122223333:role/audit" },
    });
    aws.mood = "denies";
    const names = Array.from({ length: 600 }, (_, index) => `r${index}`);
    await bed.emit(project, names);
    await eventually(
      () => spilledOf(project),
      ({ count }) => count >= 2,
      waitLimits,
    );
    const swap = (from: string, to: string) =>
      bed.run(
        "MATCH (a:_AuditSpill {key: $a}), (b:_AuditSpill {key: $b}) WITH a, b, a.sealed AS first SET a.sealed = b.sealed, b.sealed = first",
        { a: `${project}@${from}`, b: `${project}@${to}` },
      );
    await swap("000000000000001", "000000000000002");
    aws.mood = "well";
    await wait(5_000);
    const read = await bed.read(service.url, project);
    expect(namesOf(read).filter((name) => !name.startsWith("audit."))).toEqual([]);
    await swap("000000000000001", "000000000000002");
    const chain = await chainOf(project, names.length);
    expect(namesOf(chain).filter((name) => !name.startsWith("audit."))).toEqual(names);
  }, 60_000);

  it("keeps the oldest records and refuses new ones once AUDIT_SPILLED_BYTES and its bytes in Redis are reached, and others go on", async () => {
    await restartBounded();
    const project = bed.project();
    await bed.configure(project, {
      provider: "CUSTOMER_AWS_KMS",
      keyResource: "arn:aws:kms:eu-central-1:111122223333:key/k",
      kid: "bounded",
      authParams: { role_arn: "arn:aws:iam::111122223333:role/audit" },
    });
    aws.mood = "denies";
    const { kept, reasons } = await emitUntilRefused(project);
    expect(reasons).toEqual(new Set(["project_full"]));
    const { bytes } = await spilledOf(project);
    expect(bytes).toBeGreaterThanOrEqual(bounds.spilledBytes);
    expect(bytes).toBeLessThan(bounds.spilledBytes + bounds.projectBytes);
    const { emit, lost } = openCountedEmission(bed.redis);
    await emit(newRecord(light, "of another project"), bed.organization);
    await bed.drained(light);
    expect(lost()).toBe(0);
    aws.mood = "well";
    const chain = await chainOf(project, kept.length);
    expect(namesOf(chain).filter((name) => !name.startsWith("audit."))).toEqual(kept);
    expect((await verify(chain)).failed).toEqual([]);
  }, 120_000);
});
