import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { services } from "../services/service-names.ts";
import { inRepository } from "../repository.ts";

interface Compose {
  readonly services: Readonly<Record<string, { readonly command: string[]; readonly volumes: string[] }>>;
}

// Ours, with this shape.
const { services: overridden } = parse(
  readFileSync(inRepository("docker-compose.override.example.yml"), "utf8"),
) as Compose;

/** The workspace packages that one of them needs in production, itself among them, by folder. */
const closure = (folder: string, known = new Set<string>()): ReadonlySet<string> => {
  if (known.has(folder)) return known;
  known.add(folder);
  const { dependencies = {} } = JSON.parse(readFileSync(inRepository(folder, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  for (const name of Object.keys(dependencies))
    if (name.startsWith("@ikg/")) closure(`libs/${name.slice("@ikg/".length)}`, known);
  return known;
};

describe("docker-compose.override.example.yml", () => {
  it.each(services)("mounts every source that %s runs", (name) => {
    const folders = [...closure(`services/${name}`)];
    const expected = folders.map((folder) => `./${folder}/src:/app/${folder}/src:ro`);
    expect(overridden[name]?.volumes.toSorted()).toEqual(expected.toSorted());
    expect(overridden[name]?.command).toEqual(["--watch", `services/${name}/src/main.ts`]);
  });
});
