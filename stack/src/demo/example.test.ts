import { mkdirSync, readFileSync, rmSync, writeFileSync, globSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
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

describe("examples/film-archive", () => {
  it("is what the demo loads (UPDATE_DOCS=1 writes it anew)", () => {
    if (process.env["UPDATE_DOCS"] === "1") {
      for (const kind of ["policies", "queries"])
        rmSync(`${folder}/${kind}`, { recursive: true, force: true });
      for (const [name, content] of files) {
        mkdirSync(dirname(`${folder}/${name}`), { recursive: true });
        writeFileSync(`${folder}/${name}`, `${JSON.stringify(content, null, 2)}\n`);
      }
    }
    const found = globSync("**/*.json", { cwd: folder }).sort();
    expect(found).toEqual([...files.keys()].sort());
    for (const [name, content] of files)
      expect(JSON.parse(readFileSync(`${folder}/${name}`, "utf8"))).toEqual(content);
  });
});
