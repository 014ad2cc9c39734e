import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { nodes } from "./nodes.ts";
import { policies } from "./policies.ts";
import { queries } from "./queries.ts";
import { relationships } from "./relationships.ts";

/** The demo's graph, policies and queries as files, which policy tests can name. */
const folder = fileURLToPath(new URL("../../../examples/film-archive", import.meta.url));

const files = new Map<string, object>([
  ["graph.json", { nodes, relationships }],
  ...policies.map(
    ({ name, description, policy }) => [`policies/${name}.json`, { description, policy }] as const,
  ),
  ...queries.map(
    ({ name, description, policy, query }) =>
      [`queries/${name}.json`, { description, policy, query }] as const,
  ),
]);

const present = (): string[] => globSync("**/*.json", { cwd: folder }).sort();

const contentOf = (name: string): unknown =>
  existsSync(`${folder}/${name}`) ? JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) : undefined;

/** Files that are right stay as they are formatted. */
const write = (): void => {
  for (const name of present()) if (!files.has(name)) rmSync(`${folder}/${name}`);
  for (const [name, content] of files) {
    if (isDeepStrictEqual(contentOf(name), content)) continue;
    mkdirSync(dirname(`${folder}/${name}`), { recursive: true });
    writeFileSync(`${folder}/${name}`, `${JSON.stringify(content, null, 2)}\n`);
  }
};

describe("examples/film-archive", () => {
  it("is what the demo loads (npm run generate writes it anew)", () => {
    if (process.env["UPDATE_DOCS"] === "1") write();
    expect(present()).toEqual([...files.keys()].sort());
    for (const [name, content] of files) expect(contentOf(name)).toEqual(content);
  });
});
