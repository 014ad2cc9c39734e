/** A copy of the policy language for mutation: mutants are written into the source, and never into the repository. */
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../../repository.ts";

/** What the unit tests of the policy language need; the database takes no part. */
const parts = [
  ...["src", "test", "mutation", "package.json"].map((name) => `libs/policy-core/${name}`),
  ...["contracts", "physical"].map((name) => `libs/${name}`),
  "stack/src/testing/runner/shared-process",
  ...["package.json", "tsconfig.json"],
];

const link = (target: string, path: string): void => {
  mkdirSync(join(path, ".."), { recursive: true });
  symlinkSync(target, path, "dir");
};

/** Makes a new copy. @returns its path */
export const makeMutationFolder = (): string => {
  const folder = inRepository(".tools", "mutation");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const part of parts) {
    cpSync(inRepository(part), join(folder, part), {
      recursive: true,
      filter: (path) => !path.endsWith("/node_modules"),
    });
  }
  link(inRepository("node_modules"), join(folder, "node_modules"));
  const modules = join(folder, "libs/policy-core/node_modules");
  for (const name of ["re2js", "@neo4j-cypher"])
    link(inRepository("libs/policy-core/node_modules", name), join(modules, name));
  for (const name of ["contracts", "physical"]) link(join(folder, "libs", name), join(modules, "@ikg", name));
  return folder;
};
