import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";

const root = new URL("../", import.meta.url);
/** The table of packages, which stands before the folders of one of them. */
const [page = ""] = readFileSync(new URL("architecture.md", import.meta.url), "utf8").split("\n### ");

describe("the map of packages", () => {
  it("has a row for every package, and none for others", () => {
    const packages = globSync("{libs,services,apps}/*/package.json", { cwd: root })
      .concat(globSync("{stack,e2e,bench}/package.json", { cwd: root }))
      .map((file) => file.replace("/package.json", ""));
    const rows = [...page.matchAll(/^\| `([a-z0-9/-]+)` +\|/gm)].map(([, name]) => name);
    expect(new Set(rows)).toEqual(new Set(packages));
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
    globSync(`${folder}/src/**/*.ts`, { cwd: root })
      .filter((file) => !file.endsWith(".test.ts"))
      .flatMap((file) => [
        ...readFileSync(new URL(file, root), "utf8").matchAll(
          /^(?:import|export) (?!type )(?:[^"';]* from )?"([^"]+)";$/gm,
        ),
      ])
      .map(([, specifier = ""]) => packageOf(specifier))
      .filter((name) => name !== undefined),
  );

describe("the packages of an image", () => {
  const folders = globSync("{libs,services}/*/package.json", { cwd: root }).map((file) =>
    file.replace("/package.json", ""),
  );

  // Images hold what a package declares; in a checkout the packages of the root are found as well.
  it.each(folders)("%s declares what it imports", (folder) => {
    const { name, dependencies = {} } = JSON.parse(
      readFileSync(new URL(`${folder}/package.json`, root), "utf8"),
    ) as { name: string; dependencies?: Readonly<Record<string, string>> };
    expect([...importedBy(folder)].filter((each) => each !== name && !(each in dependencies))).toEqual([]);
  });
});
