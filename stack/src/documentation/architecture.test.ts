import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { inRepository, repository } from "../repository.ts";

/** The table of packages, which stands before the folders of one of them. */
const [page = ""] = readFileSync(inRepository("docs", "architecture.md"), "utf8").split("\n### ");

describe("the map of packages", () => {
  it("has a row for every package, and none for others", () => {
    const packages = globSync("{libs,services,apps}/*/package.json", { cwd: repository })
      .concat(globSync("{stack,e2e,bench}/package.json", { cwd: repository }))
      .map((file) => file.replace("/package.json", ""));
    const rows = [...page.matchAll(/^\| `([a-z0-9/-]+)` +\|/gm)].map(([, name]) => name);
    expect(new Set(rows)).toEqual(new Set(packages));
  });
});

interface Rule {
  readonly name: string;
  readonly comment?: string;
}

const { forbidden } = createRequire(import.meta.url)(inRepository(".dependency-cruiser.cjs")) as {
  readonly forbidden: readonly Rule[];
};
const libraries = globSync("libs/*", { cwd: repository }).map((folder) => folder.slice("libs/".length));

/** The libraries that a text names. */
const namedIn = (text: string): readonly string[] =>
  libraries.filter((name) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text)).toSorted();

/** The last cell of a library's row. */
const mayImport = (name: string): string =>
  page
    .split("\n")
    .find((line) => line.startsWith(`| \`libs/${name}\` `))
    ?.split("|")
    .at(-2)
    ?.trim() ?? "";

describe("what a library may import", () => {
  it.each(libraries)("%s: its row of the table and its rule name what it declares", (name) => {
    const { dependencies = {} } = JSON.parse(
      readFileSync(inRepository("libs", name, "package.json"), "utf8"),
    ) as { dependencies?: object };
    const declared = Object.keys(dependencies)
      .filter((each) => each.startsWith("@ikg/"))
      .map((each) => each.slice("@ikg/".length))
      .toSorted();
    const cell = mayImport(name);
    expect(cell.startsWith("none") ? [] : namedIn(cell)).toEqual(declared);
    // The published client has a rule of another form, since it imports no package at all.
    const rule = forbidden.find((each) => each.name === `${name}-imports`);
    if (name === "client") expect(rule).toBeUndefined();
    else expect(rule && namedIn(rule.comment?.split(": ")[1] ?? "")).toEqual(declared);
  });
});

describe("the folders of end-to-end tests", () => {
  it("have a row each in testing.md, as those of their helpers do", () => {
    const testing = readFileSync(inRepository("docs", "testing.md"), "utf8");
    const [, section = ""] = testing.split("\n### Folders of e2e\n");
    const rows = [...section.matchAll(/^\| `(e2e\/(?:src|test)\/[a-z-]+)` +\|/gm)].map(([, name]) => name);
    const folders = globSync("e2e/{src,test}/*", { cwd: repository }).filter((path) => !path.endsWith(".ts"));
    expect(new Set(rows)).toEqual(new Set(folders));
  });

  it("hold every test", () => {
    expect(globSync("e2e/test/*.ts", { cwd: repository })).toEqual([]);
  });
});

describe("the folder of pages", () => {
  it("has no code, which belongs into a package", () => {
    expect(globSync("docs/**/*.{ts,tsx,js,mjs,cjs,sh,py}", { cwd: repository })).toEqual([]);
  });
});

/** The package of an import; undefined for a module of Node and for another file. */
const packageOf = (specifier: string): string | undefined =>
  specifier.startsWith(".") || specifier.startsWith("node:")
    ? undefined
    : specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");

/** Packages that the sources of a folder import at run time; types are erased. */
const importedBy = (folder: string): Set<string> =>
  new Set(
    globSync(`${folder}/src/**/*.ts`, { cwd: repository })
      .filter((file) => !file.endsWith(".test.ts"))
      .flatMap((file) => [
        ...readFileSync(inRepository(file), "utf8").matchAll(
          /^(?:import|export) (?!type )(?:[^"';]* from )?"([^"]+)";$/gm,
        ),
      ])
      .map(([, specifier = ""]) => packageOf(specifier))
      .filter((name) => name !== undefined),
  );

describe("the packages of an image", () => {
  const folders = globSync("{libs,services}/*/package.json", { cwd: repository }).map((file) =>
    file.replace("/package.json", ""),
  );

  // Images hold what a package declares; in a checkout the packages of the root are found as well.
  it.each(folders)("%s declares what it imports", (folder) => {
    const { name, dependencies = {} } = JSON.parse(
      readFileSync(inRepository(`${folder}/package.json`), "utf8"),
    ) as { name: string; dependencies?: Readonly<Record<string, string>> };
    expect([...importedBy(folder)].filter((each) => each !== name && !(each in dependencies))).toEqual([]);
  });

  it.each(folders)("%s uses what it declares", (folder) => {
    const { dependencies = {} } = JSON.parse(
      readFileSync(inRepository(`${folder}/package.json`), "utf8"),
    ) as { dependencies?: Readonly<Record<string, string>> };
    const text = globSync(`${folder}/{src,test}/**/*.ts`, { cwd: repository })
      .map((file) => readFileSync(inRepository(file), "utf8"))
      .join("\n");
    // By an import, by an alias of package.json, or as a file that is served.
    const isNamed = (each: string): boolean =>
      ['"', "`", '"#'].some((from) => ['"', "`", "/"].some((to) => text.includes(`${from}${each}${to}`)));
    expect(Object.keys(dependencies).filter((each) => !isNamed(each))).toEqual([]);
  });
});

/** The folders of a service, each with those that its sources import. */
const folderImports = (service: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const imports = new Map<string, Set<string>>();
  for (const file of globSync(`${service}/src/*/**/*.ts`, { cwd: repository })) {
    if (file.endsWith(".test.ts")) continue;
    const folder = dirname(file);
    const imported = imports.get(folder) ?? new Set();
    imports.set(folder, imported);
    for (const [, path = ""] of readFileSync(inRepository(file), "utf8").matchAll(/ from "(\.[^"]+)";$/gm))
      imported.add(dirname(join(folder, path)));
    imported.delete(folder);
  }
  return imports;
};

/** Whether a folder imports itself by way of others. */
const isInCycle = (folder: string, imports: ReadonlyMap<string, ReadonlySet<string>>): boolean => {
  const reached = new Set(imports.get(folder));
  for (const each of reached) for (const next of imports.get(each) ?? []) reached.add(next);
  return reached.has(folder);
};

// The rules of dependency-cruiser for folders follow tests as well, and those import other packages.
describe("the folders of a service", () => {
  it.each(globSync("services/*", { cwd: repository }))("%s has no cycle", (service) => {
    const imports = folderImports(service);
    expect([...imports.keys()].filter((folder) => isInCycle(folder, imports))).toEqual([]);
  });
});
