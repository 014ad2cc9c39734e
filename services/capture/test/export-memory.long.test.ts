import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Project } from "../src/projects/projects.ts";
import { exportLines } from "../src/export/export-lines.ts";
import { openPageReader } from "../src/export/page-reader.ts";
import { importAll } from "./exported-lines.ts";
import { knows, person } from "./import-lines.ts";
import { type ImportsUnderTest, startImports } from "./imports-under-test.ts";

/** 100,000 nodes and as many relationships are exported; what is held does not grow with what was sent. */
const count = 100_000;
const megabyte = 1024 * 1024;

let imports: ImportsUnderTest;

beforeAll(async () => {
  imports = await startImports();
});
afterAll(() => imports.close());

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void; // the flag defines it

const held = (): number => {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

it("an export of many nodes holds a page", async () => {
  const project = imports.project();
  const text = "x".repeat(200);
  const perImport = 20_000;
  for (let from = 0; from < count; from += perImport) {
    const ids = Array.from({ length: perImport }, (_, at) => from + at);
    await importAll(project, [
      ...ids.map((id) => person(id, ["text", `${text}${id}`])),
      ...ids.map((id) => knows(id, from)),
    ]);
  }
  const { projects } = imports.parts;
  const known = (await projects.project(project.id)) as Project; // made above
  const reader = openPageReader({ graph: imports.graph, projects }, known, {
    requestId: "memory",
    signal: new AbortController().signal,
  });
  let characters = 0;
  let next = 0;
  let complete: unknown;
  const seen: number[] = [];
  for await (const page of exportLines(reader, project.pk, undefined)) {
    if (!("text" in page)) {
      complete = page.complete;
      continue;
    }
    characters += page.text.length;
    if (characters < next) continue;
    next = characters + 5 * megabyte;
    seen.push(held());
  }
  expect(complete).toEqual({ nodes: count, relationships: count });
  process.stdout.write(
    `an export of ${Math.round(characters / megabyte)} MB held ${seen.map((bytes) => Math.round(bytes / megabyte)).join(", ")} MB\n`,
  );
  expect(seen.length).toBeGreaterThan(5);
  expect(Math.max(...seen.slice(1)) - (seen[1] ?? 0)).toBeLessThan(15 * megabyte);
}, 300_000);
