/** Decision 6 says of every dependency what it is for and why it was chosen. */
import { globSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { repository, textInRepository } from "../repository.ts";

interface Manifest {
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly optionalDependencies?: object;
  readonly peerDependencies?: object;
}

const manifests = globSync(
  ["package.json", "{libs,services,apps}/*/package.json", "{stack,e2e,bench}/package.json"],
  {
    cwd: repository,
  },
);
const declared = new Set(
  manifests
    .map((path) => JSON.parse(textInRepository(path)) as Manifest)
    .flatMap(({ dependencies, devDependencies, optionalDependencies, peerDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies }),
    )
    .filter((name) => !name.startsWith("@ikg/") && !name.startsWith("@types/")),
);

/** Names in the first cells: some with a major version, some for all packages of a scope. */
const rows = textInRepository("docs/decisions/0006-dependencies.md")
  .split("\n")
  .flatMap((line) => /^\| ([a-z@][^|]*?) +\|/.exec(line)?.[1]?.split(", ") ?? [])
  .filter((name) => name !== "package")
  .map((name) => name.replace(/ \d+$/, "").replace("\\*", "*"));

const isAbout = (row: string, name: string): boolean =>
  row.endsWith("*") ? name.startsWith(row.slice(0, -1)) : name === row;

describe("decision 6", () => {
  it("has a row for every dependency", () => {
    expect(manifests.length).toBeGreaterThan(20);
    expect([...declared].filter((name) => !rows.some((row) => isAbout(row, name)))).toEqual([]);
  });

  it("has no row for what is no dependency, and none twice", () => {
    expect(rows.filter((row) => ![...declared].some((name) => isAbout(row, name)))).toEqual([]);
    expect(rows.filter((row, at) => rows.indexOf(row) !== at)).toEqual([]);
  });
});
