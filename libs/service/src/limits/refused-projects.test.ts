import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { openRefusedProjects } from "./refused-projects.ts";

it("projects with refused statements are named in one line a window, those with the most first", async () => {
  const lines: unknown[] = [];
  const record = openRefusedProjects({ warn: (...line) => lines.push(line) }, 30);
  for (let project = 0; project < 5_000; project++) record(`p${project}`);
  for (let times = 0; times < 3; times++) record("p7");
  record("p8");
  expect(lines).toEqual([]);
  await wait(60);
  expect(lines).toEqual([
    ["statements of projects were refused", { refused: 5_004, projects: expect.anything() }],
  ]);
  const [[, { projects }]] = lines as [[string, { projects: Readonly<Record<string, number>> }]];
  expect(Object.entries(projects).slice(0, 3)).toEqual([
    ["p7", 4],
    ["p8", 2],
    ["p0", 1],
  ]);
  expect(Object.keys(projects)).toHaveLength(10);
  await wait(60);
  expect(lines).toHaveLength(1);
  record("p9");
  await wait(60);
  expect(lines.slice(1)).toEqual([
    ["statements of projects were refused", { refused: 1, projects: { p9: 1 } }],
  ]);
});
