import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { inRepository, repository } from "../repository.ts";

/** Pages whose commands an operator pastes, also into an interactive zsh. */
const pages = [
  "README.md",
  "deploy/helm/ikg/README.md",
  ...["audit", "operations", "recipes/first-project", "releasing", "upgrading"].map(
    (name) => `docs/${name}.md`,
  ),
];

const shellLines = (page: string): readonly string[] =>
  [...readFileSync(inRepository(page), "utf8").matchAll(/^ *```sh\n([^]*?)^ *```/gm)].flatMap(
    ([, block = ""]) => block.split("\n"),
  );

describe("the commands to paste", () => {
  it.each(pages)("of %s have no comment after a command, which zsh takes for arguments", (page) => {
    const lines = shellLines(page);
    expect(lines).not.toEqual([]);
    expect(lines.filter((line) => /\S\s+#\s/.test(line))).toEqual([]);
  });

  it.each(pages)("of %s keep no list of words in a variable, which zsh does not split", (page) => {
    expect(shellLines(page).filter((line) => /^\s*\w+="[^"]* [^"]*"$/.test(line))).toEqual([]);
  });

  it.each(pages)(
    "of %s name archives of packages by ./: npm takes a/b for a repository of GitHub",
    (page) => {
      expect(shellLines(page).filter((line) => /(?<!\.\/)\bpackages\/\S*\.tgz/.test(line))).toEqual([]);
    },
  );

  it("write secrets of a clone to files that git ignores", () => {
    const files = [
      ...[".env", ".env.before", "stores.env", "redis.password", "ikg-secrets.json"],
      ...["ikg-keys.before.yaml", "ikg-stores.before.yaml", "ikg-keys.accept.yaml"],
      ...["backup.key", "release.key", "desk.key", "backups/monday.ikg"],
    ];
    // Exits with 1 where it ignores none of them.
    const ignored = execFileSync("git", ["check-ignore", "--no-index", ...files], {
      cwd: repository,
      encoding: "utf8",
    });
    expect(ignored.trim().split("\n")).toEqual(files);
  });
});
