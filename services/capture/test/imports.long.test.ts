import { PassThrough, Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Gid, type Import, newGid } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { runImport } from "../src/imports/run-import.ts";
import { reconcile } from "../src/imports/reconciler.ts";
import { receiveImport } from "../src/imports/receive.ts";
import type { ImportRecords } from "../src/imports/records.ts";
import { type ImportsUnderTest, startImports, uploadSettings } from "./imports-under-test.ts";
import { knows, linesOf, person } from "./import-lines.ts";
import { range } from "./range.ts";

let imports: ImportsUnderTest;

beforeAll(async () => {
  imports = await startImports();
});
afterAll(() => imports.close());

const until = (holds: () => Promise<boolean>): Promise<boolean> =>
  eventually(holds, Boolean, { withinMs: 15_000, everyMs: 20 });

/** Records as if there were only one project: others may test in the same database. */
const ofProject = (records: ImportRecords, project: Gid): ImportRecords => ({
  ...records,
  waiting: async () => (await records.waiting()).filter((each) => each === project),
  open: async () => (await records.open()).filter(({ projectId }) => projectId === project),
  expired: async (before) => (await records.expired(before)).filter(({ projectId }) => projectId === project),
});

describe("an import", () => {
  it("writes nodes and relationships, whatever their order, and says how it goes", async () => {
    const project = imports.project();
    const lines = range(2_000).flatMap((i) => [knows(i, (i * 7 + 1) % 2_000), person(i, ["n", i])]);
    const id = await project.begin(lines);
    const ended = await project.ended(id);
    expect(ended).toMatchObject({
      id,
      status: "done",
      lines: 4_000,
      nodes: { total: 2_000, written: 2_000 },
      relationships: { total: 2_000, written: 2_000 },
      rejected: { count: 0 },
      percent: 100,
    });
    expect(ended.rows_per_second).toBeGreaterThan(0);
    expect(await project.counts()).toEqual({ nodes: 2_000, relationships: 2_000 });
    expect(await project.staged()).toEqual([0, 0]);
  });

  it("rejects lines with their numbers and reasons, and writes the others", async () => {
    const project = imports.project();
    const long = JSON.stringify(person("long", ["text", "x".repeat(1_100_000)]));
    const answer = await project.upload(
      linesOf([
        person("a"),
        "",
        "{no json",
        { node: { type: "Person" } },
        { node: { external_id: "x", type: "_Secret" } },
        { node: { external_id: "x", type: "Person", location: "east" } },
        { node: { external_id: "x", type: "Person" }, relationship: {} },
        long,
        knows("a", "nobody"),
        knows("nobody", "none"),
        "[]",
        knows("a", "b"),
        JSON.stringify(person("b")),
      ]).trimEnd(),
    );
    expect(answer.status).toBe(202);
    expect(answer.headers.get("location")).toBe(`/capture/v1/imports/${answer.body.id}`);
    expect(answer.body).toMatchObject({ status: "queued", lines: 13, rejected: { count: 7 } });
    const ended = await project.ended(answer.body.id);
    expect(ended).toMatchObject({
      status: "done",
      nodes: { total: 2, written: 2 },
      relationships: { total: 3, written: 1 },
      rejected: { count: 9, href: `/capture/v1/imports/${ended.id}/rejected` },
    });
    expect((await project.rejected(ended.id)).data).toEqual([
      { line: 3, errors: ["line: JSON expected"] },
      { line: 4, errors: ["node.external_id: required"] },
      { line: 5, errors: ["node.type: types that begin with an underscore are reserved"] },
      { line: 6, errors: ["node.location: an import has no locations"] },
      { line: 7, errors: ["line: an object with either node or relationship expected"] },
      { line: 8, errors: ["line: longer than 1048576 bytes"] },
      { line: 9, errors: ["relationship.target: node does not exist"] },
      {
        line: 10,
        errors: ["relationship.source: node does not exist", "relationship.target: node does not exist"],
      },
      { line: 11, errors: ["line: an object with either node or relationship expected"] },
    ]);
    const first = await project.rejected(ended.id, "?page_size=4");
    expect(first.data.map(({ line }) => line)).toEqual([3, 4, 5, 6]);
    const second = await project.send<typeof first>("GET", first.next_href ?? "");
    expect(second.body.data.map(({ line }) => line)).toEqual([7, 8, 9, 10]);
    expect(await project.counts()).toEqual({ nodes: 2, relationships: 1 });
  });
});

describe("rows of one node", () => {
  it("are written in the order of their lines, over chunks and kinds of fields", async () => {
    const project = imports.project();
    const lines = range(6_000).map((i) => person(i % 500, ["last", i], [`only_${i % 3}`, i]));
    const ended = await project.ended(await project.begin(lines));
    expect(ended.nodes).toEqual({ total: 6_000, written: 6_000 });
    expect(await project.counts()).toEqual({ nodes: 500, relationships: 0 });
    for (const i of [0, 1, 250, 499]) expect(await project.property(String(i), "last")).toBe(5_500 + i);
  });

  it("keep custom metadata, whatever its keys are called", async () => {
    const project = imports.project();
    const metadata = JSON.parse(
      '{"source": "hr", "custom_metadata": {"__proto__": 1, "level": [1, 2]}}',
    ) as object;
    const property = { type: "name", value: "Ann", metadata };
    const id = await project.begin([
      JSON.stringify({ node: { external_id: "a", type: "Person", properties: [property] } }),
    ]);
    expect(await project.ended(id)).toMatchObject({ status: "done", nodes: { written: 1 } });
    expect(await project.property("a", "name.metadata.__proto__")).toBe(1);
    expect(await project.property("a", "name.metadata.level")).toEqual([1, 2]);
    expect(await project.property("a", "name.metadata.source")).toBe("hr");
  });
});

describe("what is no import", () => {
  const fault = async (
    body: NonNullable<RequestInit["body"]>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<readonly unknown[]> => {
    const project = imports.project();
    const answer = await project.upload(body, headers);
    expect(await project.staged()).toEqual([0, 0]);
    expect((await project.send<{ data: unknown[] }>("GET", "/capture/v1/imports")).body.data).toEqual([]);
    return [answer.status, answer.body.errors];
  };

  it("is answered 400, and nothing of it stays", async () => {
    const text = linesOf(range(30_000).map((i) => person(i)));
    const broken = gzipSync(text);
    broken.fill(7, 40_000, 40_100);
    const gzip = { "content-encoding": "gzip" };
    expect(await fault(broken, gzip)).toEqual([400, ["body: gzip expected, as Content-Encoding says"]]);
    expect(await fault(gzipSync(text).subarray(0, 50_000), gzip)).toEqual([
      400,
      ["body: gzip expected, as Content-Encoding says"],
    ]);
    expect(await fault("no gzip", gzip)).toEqual([400, ["body: gzip expected, as Content-Encoding says"]]);
    expect(await fault("\n \r\n\n")).toEqual([400, ["body: at least one line expected"]]);
    expect(await fault(linesOf([person(1)]), { "content-type": "application/json" })).toEqual([
      400,
      ["body: Content-Type application/x-ndjson expected"],
    ]);
    expect(await fault(linesOf([person(1)]), { "content-encoding": "br" })).toEqual([
      400,
      ["body: Content-Encoding gzip expected, or none"],
    ]);
  });

  it("is an upload whose caller left: nothing of it stays", async () => {
    const project = imports.project();
    const leaving = new AbortController();
    const text = new TextEncoder().encode(linesOf(range(40_000).map((i) => person(i))));
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(text) });
    const gone = project.upload(body, {}, leaving.signal).then(
      () => "answered",
      () => "gone",
    );
    await until(async () => ((await project.staged())[0] ?? 0) > 10);
    const { body: list } = await project.send<{ data: Import[] }>("GET", "/capture/v1/imports");
    expect(list.data).toMatchObject([{ status: "receiving", percent: 0 }]);
    leaving.abort();
    expect(await gone).toBe("gone");
    await until(async () => (await project.staged())[0] === 0);
    await until(
      async () =>
        (await project.send<{ data: unknown[] }>("GET", "/capture/v1/imports")).body.data.length === 0,
    );
    expect(await project.counts()).toEqual({ nodes: 0, relationships: 0 });
  });
});

describe("an upload that begins while the process ends", () => {
  it("is answered with 503, and nothing of it stays", async () => {
    const project = imports.project();
    const upload = { text: new PassThrough(), sentBytes: () => Infinity };
    const request = { requestId: "test", signal: AbortSignal.abort() };
    const receive = receiveImport(imports.parts, uploadSettings);
    await expect(receive(project.id, upload, request)).rejects.toMatchObject({ code: "unavailable" });
    const { body: list } = await project.send<{ data: Import[] }>("GET", "/capture/v1/imports");
    expect([list.data, await project.staged()]).toEqual([[], [0, 0]]);
  });
});

describe("a cancelled import", () => {
  it("keeps the rows that are written and forgets the others", async () => {
    const project = imports.project();
    const id = await project.begin(range(30_000).map((i) => person(i)));
    await until(async () => (await project.state(id)).nodes.written > 0);
    const cancelled = await project.send("DELETE", `/capture/v1/imports/${id}`);
    expect([cancelled.status, cancelled.body.status]).toEqual([200, "cancelled"]);
    await until(async () => (await project.staged())[0] === 0);
    const { nodes } = await project.counts();
    expect(nodes).toBeGreaterThan(0);
    expect(nodes).toBeLessThan(30_000);
    await wait(500);
    expect((await project.counts()).nodes).toBe(nodes);
    const again = await project.send("DELETE", `/capture/v1/imports/${id}`);
    expect([again.status, again.body.status]).toEqual([200, "cancelled"]);
  });

  it("can be read after its upload ended, and has written nothing before all lines were there", async () => {
    const project = imports.project();
    const leaving = new AbortController();
    const text = new TextEncoder().encode(linesOf(range(5_000).map((i) => person(i))));
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(text) });
    const upload = project.upload(body, {}, leaving.signal).catch(() => "gone");
    await until(async () => ((await project.staged())[0] ?? 0) > 10);
    const { body: list } = await project.send<{ data: Import[] }>("GET", "/capture/v1/imports");
    const id = list.data[0]?.id ?? "";
    expect((await project.send("DELETE", `/capture/v1/imports/${id}`)).status).toBe(200);
    leaving.abort();
    expect(await upload).toBe("gone");
    await wait(500);
    expect(await project.state(id)).toMatchObject({ status: "cancelled", nodes: { written: 0 }, percent: 0 });
    expect((await project.staged())[0]).toBe(0);
  });

  it("keeps the outcome that was stored first, whichever process closes it", async () => {
    const project = imports.project();
    const { records } = imports.parts;
    const id = newGid("import");
    const record = { id, projectId: project.id, pk: project.pk, graph: undefined, rejectionsKept: 10 };
    await records.create(record, 20, new Date().toISOString());
    const outcome = { nodesWritten: 3, relationshipsWritten: 2, rejected: 1, notKept: 0 };
    const later = { nodesWritten: 9, relationshipsWritten: 9, rejected: 9, notKept: 9 };
    for (const each of [outcome, later])
      expect(await records.settle(id, each)).toMatchObject({ id, outcome });
    await records.remove(id);
    expect(await records.settle(id, outcome)).toBeUndefined();
  });

  it("is none that is done: 409", async () => {
    const project = imports.project();
    const id = await project.begin([person("a")]);
    await project.ended(id);
    const answer = await project.send("DELETE", `/capture/v1/imports/${id}`);
    expect([answer.status, answer.body.errors]).toEqual([409, ["import: is done"]]);
  });
});

describe("the imports of a project", () => {
  it("are listed newest first, and belong to no other project", async () => {
    const project = imports.project();
    const other = imports.project();
    const first = await project.begin([person("a"), "x"]);
    await project.ended(first);
    const second = await project.begin([person("b")]);
    await project.ended(second);
    const { body } = await project.send<{ data: Import[] }>("GET", "/capture/v1/imports");
    expect(body.data.map(({ id }) => id)).toEqual([second, first]);
    expect((await other.send<{ data: Import[] }>("GET", "/capture/v1/imports")).body.data).toEqual([]);
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/rejected"],
      ["DELETE", ""],
    ] as const)
      expect((await other.send(method, `/capture/v1/imports/${first}${path}`)).status).toBe(404);
    expect((await project.send("GET", "/capture/v1/imports/nothing")).status).toBe(404);
    expect((await project.send("GET", `/capture/v1/imports/${first}/rejected?page_size=5000`)).status).toBe(
      400,
    );
  });
});

describe("writers of one import", () => {
  it("never wait for each other in a circle, however much their rows overlap", async () => {
    const project = imports.project();
    const before = await imports.repeats();
    const hubs = range(40);
    const lines = [
      ...range(4_000).map((i) => person(i % 400, ["n", i])),
      ...range(8_000).map((i) =>
        i % 2 === 0
          ? knows(hubs[i % 40] ?? 0, (i * 7 + 3) % 400, `T${i % 5}`)
          : knows((i * 11 + 1) % 400, hubs[(i + 7) % 40] ?? 0, `T${i % 5}`),
      ),
    ];
    const ended = await project.ended(await project.begin(lines));
    expect(ended).toMatchObject({ status: "done", relationships: { written: 8_000 } });
    expect(await imports.repeats()).toBe(before);
  });

  it("may be two workers at the same import: nothing is lost or doubled", async () => {
    const project = imports.project();
    const { parts } = imports;
    const lines = [
      ...range(10_000).map((i) => person(i % 2_500, ["last", i])),
      ...range(5_000).map((i) => knows(i % 2_500, (i * 13 + 5) % 2_500)),
      knows("none", 1),
    ];
    // Staged without a job, so that both begin at the same moment.
    const text = Readable.from([Buffer.from(linesOf(lines))]);
    const upload = { text, sentBytes: () => Infinity };
    const record = await receiveImport(parts, uploadSettings)(project.id, upload, {
      requestId: "test",
      signal: new AbortController().signal,
    });
    const attempt = () =>
      runImport(
        { ...parts, onRepeat: () => undefined, onRows: () => undefined, isTurnOver: () => false },
        record.id,
        new AbortController().signal,
      );
    await Promise.all([attempt(), attempt()]);
    expect(await project.ended(record.id)).toMatchObject({
      nodes: { total: 10_000, written: 10_000 },
      relationships: { total: 5_001, written: 5_000 },
      rejected: { count: 1 },
    });
    expect(await project.counts()).toEqual({ nodes: 2_500, relationships: 2_500 });
    for (const i of [0, 77, 2_499]) expect(await project.property(String(i), "last")).toBe(7_500 + i);
    expect(await project.staged()).toEqual([0, 1]);
  });
});

describe("the reconciler", () => {
  it("removes uploads without a heartbeat, and imports whose time is over with their rejected lines", async () => {
    const project = imports.project();
    const { parts } = imports;
    const id = await project.begin([person("a"), "no line"]);
    await project.ended(id);
    const silent = newGid("import");
    await parts.records.create(
      { id: silent, projectId: project.id, pk: project.pk, graph: undefined, rejectionsKept: 10 },
      20,
      new Date().toISOString(),
    );
    const later = (ms: number) =>
      reconcile({
        ...parts,
        records: ofProject(parts.records, project.id),
        now: () => new Date(Date.now() + ms),
        enqueue: () => undefined,
        log: { warn: (message, fields) => expect([message, fields]).toBeUndefined() },
      });
    await later(9 * 60_000);
    expect((await project.state(silent)).status).toBe("receiving");
    await later(11 * 60_000);
    expect((await project.send("GET", `/capture/v1/imports/${silent}`)).status).toBe(404);
    expect((await project.state(id)).rejected.count).toBe(1);
    await later(8 * 24 * 3_600_000);
    expect((await project.send("GET", `/capture/v1/imports/${id}`)).status).toBe(404);
    expect(await project.staged()).toEqual([0, 0]);
    expect(await project.counts()).toEqual({ nodes: 1, relationships: 0 });
  });
});
