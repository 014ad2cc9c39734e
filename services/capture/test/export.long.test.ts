import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { projectLabel } from "@ikg/physical";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { drawnLines } from "./drawn-lines.ts";
import { exportedLines, importAll } from "./exported-lines.ts";
import { knows, person } from "./import-lines.ts";
import type { ImportProject } from "./import-project.ts";
import { type ImportsUnderTest, startImports } from "./imports-under-test.ts";

let imports: ImportsUnderTest;

beforeAll(async () => {
  imports = await startImports();
});
afterAll(() => imports.close());

const write = (text: string, params: Record<string, unknown> = {}): Promise<unknown> =>
  imports.graph.shared.write((tx) => tx.run(text, params), { timeoutMs: 10_000 });

/** The graph of a project as the database holds it, without what is made anew by an import. */
const stored = async ({ pk }: ImportProject): Promise<unknown> => {
  const label = projectLabel(pk);
  const read = (text: string) => imports.graph.shared.read(text, {}, { timeoutMs: 10_000 });
  const nodes = await read(
    `MATCH (n:${label}) RETURN n.type + '/' + n.external_id AS name, labels(n) AS labels, properties(n) AS fields ORDER BY name`,
  );
  const relationships = await read(
    `MATCH (n:${label})-[r]->(m) RETURN n.type + '/' + n.external_id AS a, type(r) AS t,
     m.type + '/' + m.external_id AS b, properties(r) AS fields ORDER BY a, t, b, r._discriminator`,
  );
  const kept = ([field]: [string, unknown]): boolean =>
    !["id", "_key", "create_time", "update_time", "_create_time", "_update_time"].includes(field) &&
    !field.endsWith(".update_time");
  const fieldsOf = (fields: unknown) =>
    Object.fromEntries(
      Object.entries(fields as object)
        .filter(kept)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return [
    nodes.map(({ name, labels, fields }) => [
      name,
      (labels as string[]).map((each) => each.replace(pk, "")).sort(),
      fieldsOf(fields),
    ]),
    relationships.map(({ a, t, b, fields }) => [a, t, b, fieldsOf(fields)]),
  ];
};

describe("GET /capture/v1/export", () => {
  it("and an import make the same graph: drawn graphs", async () => {
    await fc.assert(
      fc.asyncProperty(drawnLines, async (lines) => {
        const [first, second] = [imports.project(), imports.project()];
        await importAll(first, lines);
        const before = await exportedLines(first);
        await importAll(second, [...before.lines, JSON.stringify({ complete: before.complete })]);
        expect(await exportedLines(second)).toEqual(before);
        expect(await stored(second)).toEqual(await stored(first));
      }),
      { numRuns: 12, endOnFailure: true },
    );
  }, 120_000);

  it("loses no page of ids beyond U+E000, whose order differs from that of UTF-16", async () => {
    const project = imports.project();
    const ids = ["a", "\uFF01", "\u{1F600}", "\uE000", "\u{10FFFD}", "é"].flatMap((first) =>
      Array.from(
        { length: 100 },
        (_, index) => `${first}${index % 2 === 0 ? "\uFFFD" : "\u{1F601}"}${index}`,
      ),
    );
    const hub = "\u{1F600}hub";
    await importAll(project, [
      person(hub),
      ...ids.map((id) => person(id)),
      ...ids.flatMap((id, index) => [knows(hub, id), knows(id, ids[(index + 1) % ids.length] ?? hub)]),
    ]);
    const { lines, complete } = await exportedLines(project);
    expect(complete).toEqual({ nodes: ids.length + 1, relationships: 2 * ids.length });
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toHaveLength(3 * ids.length + 1);
  });

  it("is empty for an empty project, and shows nothing of another one", async () => {
    const [own, other] = [imports.project(), imports.project()];
    expect(await exportedLines(own)).toEqual({ lines: [], complete: { nodes: 0, relationships: 0 } });
    await importAll(own, [person("a"), person("b"), knows("a", "b")]);
    await importAll(other, [person("secret"), person("s2"), knows("secret", "s2")]);
    const { lines, complete } = await exportedLines(own);
    expect(complete).toEqual({ nodes: 2, relationships: 1 });
    expect(lines.join("\n")).not.toContain("secret");
    expect(lines.join("\n")).not.toContain(own.pk);
    expect(JSON.parse(lines[0] ?? "")).toEqual(knows("a", "b"));
  });

  it("holds the nodes of some types, and relationships between them", async () => {
    const project = imports.project();
    const car = { node: { type: "Car", external_id: "c" } };
    const owns = {
      relationship: {
        source: { type: "Person", external_id: "a" },
        target: { type: "Car", external_id: "c" },
        type: "OWNS",
      },
    };
    await importAll(project, [person("a"), person("b"), car, knows("a", "b"), owns]);
    expect((await exportedLines(project, "?types=Person")).complete).toEqual({ nodes: 2, relationships: 1 });
    expect((await exportedLines(project, "?types=Car,Person")).complete).toEqual({
      nodes: 3,
      relationships: 2,
    });
    expect((await exportedLines(project, "?types=None")).complete).toEqual({ nodes: 0, relationships: 0 });
    for (const types of ["", "1x", "Car,", "_Application"])
      expect([types, (await project.export(`?types=${types}`)).status]).toEqual([types, 400]);
  });

  it("needs a permission of its own", async () => {
    const project = imports.project();
    for (const permissions of [["Capture"], ["ReadDataSchema", "ContXIQ", "Authorization"]] as const)
      expect((await project.export("", { permissions })).status).toBe(403);
    expect((await project.export()).status).toBe(200);
  });

  it("is compressed for readers who accept that", async () => {
    const project = imports.project();
    await importAll(project, [person("a")]);
    const raw = await new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
      // fetch would decompress.
      void project.export("", { headers: { "accept-encoding": "gzip;q=0" } }).then((plain) => {
        expect(plain.headers.get("content-encoding")).toBe(null);
        return plain.text();
      }, reject);
      void project.exportHeaders().then((headers) => {
        const outgoing = httpRequest(
          `${imports.url}/capture/v1/export`,
          { headers: { ...headers, "accept-encoding": "br, gzip" } },
          (answer) => {
            const pieces: Buffer[] = [];
            answer.on("data", (piece: Buffer) => pieces.push(piece));
            answer.on("end", () =>
              resolve({ encoding: answer.headers["content-encoding"], body: Buffer.concat(pieces) }),
            );
          },
        );
        outgoing.on("error", reject).end();
      }, reject);
    });
    expect(raw.encoding).toBe("gzip");
    expect(gunzipSync(raw.body).toString()).toContain('{"complete":{"nodes":1,"relationships":0}}\n');
  });

  it("says what no line can hold, and is not complete then", async () => {
    const cases: readonly (readonly [set: string, fault: string])[] = [
      ["n.when = datetime('2026-01-01T00:00:00Z')", "Person:a: property when cannot be exported"],
      ["n.at = point({x: 1, y: 2})", "Person:a: property at cannot be exported"],
      ["n.big = 9007199254740993", "Person:a: property big cannot be exported"],
      ["n.`x.y` = 1", "Person:a: field x.y was not written by this suite"],
      ["n.`x.metadata.k` = 1", "Person:a: property x has not exactly one of value and external_value"],
    ];
    for (const [set, fault] of cases) {
      const project = imports.project();
      await importAll(project, [person("a"), person("b"), knows("a", "b")]);
      await write(`MATCH (n:_Node {_key: $key}) SET ${set}`, { key: `${project.pk}/Person/a` });
      const lines = (await (await project.export()).text()).trimEnd().split("\n");
      const last = JSON.parse(lines.at(-1) ?? "") as { error?: { status: number; errors: string[] } };
      expect(last.error?.status).toBe(422);
      expect(last.error?.errors[0]).toContain(fault);
      // An import of it says so, too.
      const ended = await project.ended(await project.begin(lines));
      expect(ended.rejected.count).toBe(1);
    }
  }, 60_000);

  it("refuses relationships of nodes that the platform wrote, instead of leaving them out", async () => {
    const project = imports.project();
    await importAll(project, [person("a")]);
    await write(
      `MATCH (n:_Node {_key: $key}) CREATE (m:_Node:${projectLabel(project.pk)} {_key: $system, type: '_Application',
       external_id: 'x'})-[:USES {_discriminator: ''}]->(n)`,
      { key: `${project.pk}/Person/a`, system: `${project.pk}/_Application/x` },
    );
    const response = await project.export();
    expect([response.status, await response.text()]).toEqual([
      422,
      expect.stringContaining("_Application:x USES Person:a"),
    ]);
    expect((await exportedLines(project, "?types=Person")).complete).toEqual({ nodes: 1, relationships: 0 });
  });

  it("leaves trust scores to the other project, which has its own", async () => {
    const project = imports.project();
    await importAll(project, [person("a")]);
    await write(
      `MATCH (n:_Node {_key: $key}) CREATE (n)-[:_HAS]->(:_Node:${projectLabel(project.pk)} {_key: $score,
       type: '_TrustScore', external_id: 'gid:1'})`,
      { key: `${project.pk}/Person/a`, score: `${project.pk}/_TrustScore/gid:1` },
    );
    expect((await exportedLines(project)).complete).toEqual({ nodes: 1, relationships: 0 });
  });

  it("splits a node that one line could not hold, and pages through a hub", async () => {
    const project = imports.project();
    const text = "ü".repeat(60_000);
    const names = Array.from({ length: 30 }, (_, at) => `p${at}`);
    for (const part of [names.slice(0, 5), names.slice(5, 10), names.slice(10, 30).slice(0, 7)])
      await importAll(project, [person("large", ...part.map((each) => [each, text] as const))]);
    const ids = Array.from({ length: 4_500 }, (_, at) => at);
    await importAll(
      project,
      ids.flatMap((id) => [person(id), knows("large", id), knows("large", id, "SEES")]),
    );
    const before = await exportedLines(project);
    expect(before.complete).toEqual({ nodes: 4_501, relationships: 9_000 });
    expect(
      before.lines.filter((line) => line.startsWith('{"node":{"external_id":"large"')).length,
    ).toBeGreaterThan(1);
    expect(new Set(before.lines).size).toBe(before.lines.length);
    const second = imports.project();
    await importAll(second, before.lines);
    expect(await exportedLines(second)).toEqual(before);
  }, 120_000);

  it("holds all that was there throughout while others write, with both ends of each relationship", async () => {
    const project = imports.project();
    const ids = Array.from({ length: 3_000 }, (_, at) => at);
    await importAll(
      project,
      ids.flatMap((id) => [person(id), knows(id, (id + 1) % 3_000)]),
    );
    let round = 0;
    const writer = { isOver: false };
    const writing = (async () => {
      for (; !writer.isOver; round++) {
        const fresh = Array.from({ length: 20 }, (_, at) => `${at % 2 === 0 ? "!" : "~"}${round}-${at}`);
        await importAll(project, [...fresh.map((id) => person(id)), ...fresh.map((id) => knows(id, 0))]);
      }
    })();
    for (let tries = 0; tries < 3; tries++) {
      const { lines } = await exportedLines(project);
      const values = lines.map(
        (line) => JSON.parse(line) as ReturnType<typeof person> & ReturnType<typeof knows>,
      );
      const nodes = new Set(values.flatMap(({ node }) => node?.external_id ?? []));
      expect(ids.filter((id) => !nodes.has(String(id)))).toEqual([]);
      const ends = values.flatMap(({ relationship: each }) =>
        each === undefined ? [] : [each.source.external_id, each.target.external_id],
      );
      expect(ends.filter((id) => !nodes.has(id))).toEqual([]);
    }
    writer.isOver = true;
    await writing;
    expect(round).toBeGreaterThan(0);
  }, 120_000);

  it("ends with its reader, and takes two of a project at once", async () => {
    const project = imports.project();
    // Random, so that neither the upload nor the answer shrinks much by compression.
    const text = (): string => randomBytes(30_000).toString("hex");
    await importAll(
      project,
      Array.from({ length: 400 }, (_, at) => person(at, ["text", text()])),
    );
    const over = new AbortController();
    // Readers who read nothing yet: the text does not fit what lies between.
    const open = [
      await project.export("", { signal: over.signal }),
      await project.export("", { signal: over.signal }),
    ];
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    const third = await project.export();
    expect([third.status, await third.text()]).toEqual([429, expect.stringContaining("EXPORTS")]);
    over.abort();
    await Promise.all(open.map((each) => each.text().catch(() => "aborted")));
    const exportAgain = async (): Promise<number> => {
      const again = await project.export();
      await again.body?.cancel();
      return again.status;
    };
    // Until the places are given back.
    await eventually(exportAgain, (status) => status === 200, { withinMs: 10_000, everyMs: 100 });
  }, 60_000);
});
