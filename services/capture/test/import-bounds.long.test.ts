import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { importLimits } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { type ImportsUnderTest, startImports } from "./imports-under-test.ts";
import { knows, linesOf, person } from "./import-lines.ts";
import { range } from "./range.ts";

let imports: ImportsUnderTest;

beforeAll(async () => {
  imports = await startImports(1);
});
afterAll(() => imports.close());

const gzip = { "content-encoding": "gzip" };
const seenLimits = { withinMs: 60_000, everyMs: 20 };

/** A body that never ends by itself: some lines, then nothing. */
const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(linesOf([person(1)]))),
  });

describe("imports of several projects", () => {
  it("take turns: one row does not wait for the rows of a stranger", async () => {
    const stranger = imports.project();
    const project = imports.project();
    const large = await stranger.begin(range(60_000).map((i) => person(i)));
    await eventually(
      () => stranger.state(large),
      ({ nodes }) => nodes.written > 0,
      seenLimits,
    );
    const small = await project.begin([person("a")]);
    expect((await project.ended(small)).status).toBe("done");
    const meanwhile = await stranger.state(large);
    expect(meanwhile.status).toBe("running");
    expect(meanwhile.nodes.written).toBeLessThan(60_000);
    expect(await stranger.ended(large, 120_000)).toMatchObject({
      status: "done",
      nodes: { written: 60_000 },
    });
  });

  it("each write as many rows in a second as it may, and the worker serves others meanwhile", async () => {
    const slow = imports.project({ import_rows_per_second: 2_000 });
    const project = imports.project();
    const since = performance.now();
    const large = await slow.begin(range(16_000).map((i) => person(i)));
    await eventually(
      () => slow.state(large),
      ({ nodes }) => nodes.written > 0,
      seenLimits,
    );
    const small = await project.begin([person("a")]);
    expect((await project.ended(small)).status).toBe("done");
    expect((await slow.state(large)).status).toBe("running");
    expect(await slow.ended(large, 120_000)).toMatchObject({ status: "done", nodes: { written: 16_000 } });
    // Four writers begin with a chunk of 1,000 rows each; what they wrote last needs no rest.
    expect(performance.now() - since).toBeGreaterThan(5_000);
    const written = await imports.service.metrics.registry
      .getSingleMetric("ikg_project_import_rows_total")
      ?.get();
    const rowsOf = (id: string) => written?.values.find(({ labels }) => labels["project"] === id)?.value;
    expect([rowsOf(slow.id), rowsOf(project.id)]).toEqual([16_000, 1]);
  });

  it("take turns however many imports each of them has, and lose nothing", async () => {
    const [a, b, c] = [imports.project(), imports.project(), imports.project()];
    const lines = [...range(6_000).map((i) => person(i)), ...range(3_000).map((i) => knows(i, i + 1))];
    const ids = await Promise.all(
      [a, a, a, b].map(async (project) => [project, await project.begin(lines)] as const),
    );
    const late = await c.begin([person("c")]);
    await c.ended(late);
    expect(await Promise.all(ids.map(async ([each, id]) => (await each.state(id)).status))).toContain(
      "queued",
    );
    for (const [each, id] of ids)
      expect(await each.ended(id, 120_000)).toMatchObject({
        status: "done",
        nodes: { written: 6_000 },
        relationships: { written: 3_000 },
      });
    expect(await a.counts()).toEqual({ nodes: 6_000, relationships: 3_000 });
    expect(await b.counts()).toEqual({ nodes: 6_000, relationships: 3_000 });
  });
});

describe("an upload", () => {
  it("that is longer than the project's limit once decompressed is refused, and nothing of it stays", async () => {
    const project = imports.project({ import_bytes: 100_000 });
    const text = linesOf(range(5_000).map((i) => person(i)));
    const { status, body } = await project.upload(gzipSync(text), gzip);
    expect([status, body.errors]).toEqual([
      422,
      ["body: at most 100000 bytes expected, decompressed (limit import_bytes, 100000)"],
    ]);
    expect(await project.staged()).toEqual([0, 0]);
    expect((await project.upload(linesOf([person(1)]))).status).toBe(202);
  });

  it("of nothing but compressed blank lines ends early", async () => {
    const project = imports.project();
    const blank = Buffer.alloc(1024 * 1024, "\n");
    const pieces = Readable.from(
      (function* () {
        for (let i = 0; i < 400; i++) yield blank;
      })(),
    );
    const packed = Buffer.concat((await pieces.pipe(createGzip({ level: 1 })).toArray()) as Buffer[]);
    const started = performance.now();
    const { status, body } = await project.upload(packed, gzip);
    expect([status, body.errors]).toEqual([
      422,
      ["body: at most 100 bytes expected for each byte sent (setting IMPORT_COMPRESSION_RATIO, 100)"],
    ]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("is refused while the project has as many imports as it may have", async () => {
    const project = imports.project({ imports_waiting: 2 });
    const leaving = new AbortController();
    const open = [
      project.upload(endless(), {}, leaving.signal),
      project.upload(endless(), {}, leaving.signal),
    ];
    for (const each of open) each.catch(() => undefined);
    const list = async () =>
      (await project.send<{ data: unknown[] }>("GET", "/capture/v1/imports")).body.data.length;
    await eventually(list, (count) => count >= 2, seenLimits);
    const { status, body, headers } = await project.upload(linesOf([person(1)]));
    expect([status, body.errors, headers.get("retry-after")]).toEqual([
      429,
      ["imports_waiting: the project has 2 imports that have not ended (limit imports_waiting, 2)"],
      "30",
    ]);
    expect((await imports.project({ imports_waiting: 1 }).upload(linesOf([person(1)]))).status).toBe(202);
    leaving.abort();
    await eventually(list, (count) => count === 0, seenLimits);
    expect((await project.upload(linesOf([person(1)]))).status).toBe(202);
  });

  it("is refused while the project's imports keep as many bytes as they may, or by itself", async () => {
    // So slow that its rows stay until it is cancelled.
    const project = imports.project({ import_stored_bytes: 300_000, import_rows_per_second: 1 });
    const lines = (count: number) => range(count).map((i) => person(i, ["last", randomUUID()]));
    const large = await project.upload(gzipSync(linesOf(lines(40_000))), gzip);
    expect([large.status, large.body.errors]).toEqual([
      422,
      [
        "body: rows of at most 300000 bytes expected, compressed (limit import_stored_bytes, 300000); send the lines in several imports",
      ],
    ]);
    expect(await project.staged()).toEqual([0, 0]);
    const first = await project.begin(lines(6_000));
    const second = await project.upload(linesOf(lines(6_000)));
    expect([second.status, second.body.errors, second.headers.get("retry-after")]).toEqual([
      429,
      [
        "import_stored_bytes: the imports of the project that have not ended keep 300000 bytes (limit import_stored_bytes, 300000)",
      ],
      "30",
    ]);
    const kept = (await imports.parts.records.storedBytesOfProjects()).get(project.id) ?? 0;
    expect(kept).toBeGreaterThan(100_000);
    expect(kept).toBeLessThan(300_000);
    expect((await imports.project().upload(linesOf(lines(10)))).status).toBe(202);
    expect((await project.send("DELETE", `/capture/v1/imports/${first}`)).status).toBe(200);
    await project.begin(lines(6_000));
  });

  it("with names beyond a limit has these lines rejected, and writes the others", async () => {
    const project = imports.project({ property_names: 2, node_types: 1, relationship_types: 1 });
    const id = await project.begin([
      person("a", ["one", 1]),
      person("b", ["two", 1], ["three", 1]),
      { node: { external_id: "c", type: "Robot" } },
      person("d", ["two", 1]),
      knows("a", "d"),
      knows("a", "d", "LIKES"),
    ]);
    expect(await project.ended(id)).toMatchObject({
      status: "done",
      nodes: { total: 2, written: 2 },
      relationships: { total: 1, written: 1 },
      rejected: { count: 3 },
    });
    expect((await project.rejected(id)).data).toEqual([
      { line: 2, errors: [expect.stringContaining("(limit property_names, 2)")] },
      { line: 3, errors: [expect.stringContaining("(limit node_types, 1)")] },
      { line: 6, errors: [expect.stringContaining("(limit relationship_types, 1)")] },
    ]);
  });
});

describe("rejected lines", () => {
  it("are kept up to the number of the project", async () => {
    const project = imports.project({ rejected_lines: 5 });
    const lines = ["x", "x", "x", person("a"), ...range(40).map((i) => knows("a", `none${i}`))];
    const ended = await project.ended(await project.begin(lines));
    const { not_kept: notKept = 0, count } = ended.rejected;
    expect(count).toBe(43);
    // Writers of several buckets may count at the same moment.
    expect(notKept).toBeGreaterThan(0);
    expect((await project.rejected(ended.id)).data).toHaveLength(43 - notKept);
    const refused = await project.ended(await project.begin(range(9).map(() => "x")));
    expect(refused.rejected).toMatchObject({ count: 9, not_kept: 4 });
    expect((await project.rejected(refused.id)).data).toHaveLength(5);
  });

  it("are kept up to a number, the others are counted", async () => {
    const project = imports.project();
    const { rejectionsKept: kept } = importLimits;
    const lines = [
      ...range(kept - 10).map(() => "x"),
      person("a"),
      ...range(30).map((i) => knows("a", `none${i}`)),
    ];
    const ended = await project.ended(await project.begin(lines));
    expect(ended).toMatchObject({
      status: "done",
      lines: kept + 21,
      relationships: { total: 30, written: 0 },
      rejected: { count: kept + 20 },
    });
    // Writers of several buckets count at the same moment.
    const [, rejections = 0] = await project.staged();
    const { not_kept: notKept = 0 } = ended.rejected;
    expect(notKept).toBeGreaterThan(0);
    expect(rejections).toBeLessThan(kept + 20);
    const all = await project.rejected(ended.id, `?page_token=${kept - 11}&page_size=1000`);
    expect(all.data).toHaveLength(kept + 20 - notKept - (kept - 11));
    const refused = await project.ended(await project.begin(range(kept + 5).map(() => "x")));
    expect(refused.rejected).toMatchObject({ count: kept + 5, not_kept: 5 });
  });

  it("and the imports that they belong to go when the project has many newer ones", async () => {
    const project = imports.project();
    const text = `UNWIND range(1, $count) AS i
CREATE (n:_Import {id: $project + '-' + i, project_id: $project, pk: $pk, status: 'done', create_time: '2020', heard_time: '2020',
  end_time: $day + (1000 + i) + 'Z', rejected: 0})`;
    const day = new Date(Date.now() - 24 * 3_600_000).toISOString().replace(/\d{3}Z$/, "");
    const params = { count: importLimits.ended + 4, project: project.id, pk: project.pk, day };
    await imports.graph.shared.write((tx) => tx.run(text, params), { timeoutMs: 30_000 });
    await project.ended(await project.begin([person("a")]));
    const count = async (): Promise<number> => {
      const of = "MATCH (n:_Import {project_id: $project}) RETURN count(n) AS count";
      return Number((await imports.graph.shared.read(of, params, { timeoutMs: 30_000 }))[0]?.["count"]);
    };
    await eventually(count, (left) => left <= importLimits.ended, { withinMs: 10_000, everyMs: 50 });
    expect(await count()).toBe(importLimits.ended);
  });
});

describe("a process", () => {
  it("takes as many uploads as its setting says, a quarter of them of one project, and none for ever", async () => {
    const small = await startImports(0, { uploads: 4, longestMs: 1_500 });
    try {
      const begun = range(4).map(() => small.project());
      const open = begun.map((each) => each.upload(endless()));
      const receiving = async (): Promise<number> =>
        (
          await Promise.all(
            begun.map(
              async (each) =>
                (await each.send<{ data: unknown[] }>("GET", "/capture/v1/imports")).body.data.length,
            ),
          )
        ).reduce((a, b) => a + b, 0);
      await eventually(receiving, (count) => count >= 4, seenLimits);
      const own = await begun[0]?.upload(linesOf([person(1)]));
      expect([own?.status, own?.body.errors]).toEqual([
        429,
        [
          "imports: 1 uploads of the project are in progress in this process (a quarter of the setting IMPORT_UPLOADS, 4); retry later",
        ],
      ]);
      const other = await small.project().upload(linesOf([person(1)]));
      expect([other.status, other.body.errors, other.headers.get("retry-after")]).toEqual([
        503,
        ["imports: 4 uploads are in progress in this process (setting IMPORT_UPLOADS, 4); retry later"],
        "5",
      ]);
      for (const each of await Promise.all(open)) {
        expect(each.status).toBe(408);
        expect(each.body.errors?.[0]).toContain("IMPORT_UPLOAD_SECONDS");
      }
      expect((await small.project().upload(linesOf([person(1)]))).status).toBe(202);
    } finally {
      await small.close();
    }
  });
});
