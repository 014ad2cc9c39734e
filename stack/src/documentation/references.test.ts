/** Comments, messages and pages refer to what a reader has: a public standard, a page of docs/ or a decision record. */
import { existsSync, globSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { inRepository, repository } from "../repository.ts";
import { joinLines, paths, proseOf, sentencesOf, textOf } from "./texts.ts";

/** Documents that are not part of the repository. */
const absent = [
  /\b(api|policies|runtime|neo4j|authzen|mcp|product|authoring) specification\b/,
  /\bREADME decisions? \d/,
  /\b(policy language|database facts|physical model), sections? \d/i,
  /\b(?!(?:RFC|AuthZEN)\b)[a-z-]+\.md,? (sections? )?\d/,
  /\bas the issue (states|says)\b/,
  /\bof the issue\b(?! tracker)/,
  /\bissue \d+\b/,
  /\b(table|option|constructs|nulls) of \d\.\d/,
  /\bchecks? \d+\b/,
  /\bnumbered checks?\b/,
  /\bchecklist\b/,
  // Sections in parentheses, alone or before another reference; ranges and amounts have another form.
  /["a-z]\*? \(\d\.\d(\.\d)?(, [a-z]+ \d+)?\)/,
];

/** Pictures and personifications where the field has a term; settings keep their names. */
const denied = [
  /\bfarewell/i,
  /\bweary\b/i,
  /\bhopeless\b/i,
  /\bpatien(ce|tly)\b/i,
  /(?<!TRUST_)\bhousekeeping\b/i,
  /\btalked into\b/i,
  /\bdoubt denies\b/i,
  /\bbare driver\b/i,
  /\bgoes on where\b/i,
  /\bwhere to read on\b/i,
  /\bnobody's any more\b/i,
  /\b(room|house) of (its|their) own\b/i,
  /\bthe rooms\b/i,
  /\bis nobody's\b/i,
  /\bsomebody else's\b/i,
  /\bunless told( otherwise)?\b/i,
  /\bas somebody asks\b/i,
  /\bcan(not)? be asked again\b/i,
  /\bbeside the (raw|bare) driver\b/i,
  /(?<!\bon top )\bof (ours|theirs)\b(?!\.\w)/i,
  /\b(is|are|was|were)( not)? told\b(?! apart)/i,
  /\b(is|are|was|were|and|or)( not)? heard\b/i,
  /\bbelieved\b/i,
  /\bmeant so\b/i,
  /\bways to fit\b/i,
  /\blists within each other\b/i,
  /\b(places|sizes) nothing\b/i,
  /\bdoubles go\b/i,
  /\btells what was left out\b/i,
  /\bwho asks again\b/i,
  /\bill (issuer|service)\b/i,
  /\bwhat is ours stands\b/i,
  /\bsubscription stands\b/i,
];

/** Persons where the field has a role, in sentences; data in quotes may be called anything. */
const persons =
  /(?<!["'`/-])\b(nobody|no one|somebody|someone|whoever|everybody|everyone|anybody)\b(?!["`-]|'(?!s\b))/i;

/** The texts as one line each, by their paths. */
const texts = paths.map((path) => [path, joinLines(textOf(path))] as const);

const foundIn = (patterns: readonly RegExp[]): string[] =>
  texts.flatMap(([path, text]) =>
    patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? []).map((words) => `${path}: ${words}`),
  );

describe("the texts of the repository", () => {
  it("are searched for in all texts of the repository", () => {
    expect(paths.length).toBeGreaterThan(1_000);
    expect(paths).toEqual(
      expect.arrayContaining([
        ".ci/run",
        ".dependency-cruiser.cjs",
        "CHANGELOG.md",
        "Dockerfile",
        "apps/console/index.html",
        "deploy/replace.sh",
        "examples/airfield/airfield.ikg.yaml",
        "monitoring/prometheus/alerts.yml",
      ]),
    );
    expect(textOf("CHANGELOG.md")).toMatch(/^## \[Unreleased\]\n(?![^]*^## )/m);
  });

  it("point at nothing that the repository does not contain", () => {
    expect(foundIn(absent)).toEqual([]);
  });

  it("has no words of the deny-list", () => {
    expect(foundIn(denied)).toEqual([]);
  });

  it("names roles where it means them: a caller, a subject, an operator", () => {
    const named = paths.flatMap((path) =>
      sentencesOf(path).flatMap((text) => {
        const [words] = persons.exec(text) ?? [];
        return words === undefined ? [] : [`${path}: ${words}`];
      }),
    );
    expect(named).toEqual([]);
  });
});

const folders = "libs|services|apps|stack|e2e|bench|docs|k8s|examples|deploy|monitoring";
/** From the root of the repository; targets of links are checked with the tables. */
const path = new RegExp(`(?<!\\]\\(|\\[|[\\w./@-])(?:${folders})/[\\w./-]*\\w`, "g");
/** Also by its name alone, or by its path in a package. */
const testFile = /(?<![\w./*-])(?!NAME\b)\w[\w./-]*\.test\.ts\b/g;
const heading = /([\w./-]+\.md), ((?:"[^"]+"(?: and )?)+)/g;

const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([found]) => found);

/** A page by its path, or by its name in docs/. */
const pageOf = (name: string): string | undefined =>
  [name, `docs/${name}`].find((each) => existsSync(inRepository(each)));

describe("a reference of a page or a comment", () => {
  const proses = paths.map((file) => ({ file, prose: proseOf(file) }));

  it("names files that there are", () => {
    const known = new Map<string, boolean>();
    // The beginning of names, as `npm test` takes it, is enough.
    const isThere = (name: string): boolean => {
      const exists = known.get(name) ?? globSync(`${name}*`, { cwd: repository }).length > 0;
      known.set(name, exists);
      return exists;
    };
    const missing = proses.flatMap(({ file, prose }) =>
      matches(prose, path)
        // Built, or made by an operator, and not part of the repository.
        .filter((name) => !name.endsWith("/dist") && name !== "k8s/overlays/own")
        .filter((name) => !isThere(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("names test files that there are", () => {
    const tests = globSync("*/**/*.test.ts", { cwd: repository, exclude: ["**/node_modules", ".tools"] }).map(
      (file) => `/${file}`,
    );
    const missing = proses.flatMap(({ file, prose }) =>
      matches(prose, testFile)
        .filter((name) => !tests.some((test) => test.endsWith(`/${name}`)))
        .map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("names headings that there are", () => {
    const references = proses.flatMap(({ file, prose }) =>
      [...joinLines(prose).matchAll(heading)].flatMap(([, name = "", headings = ""]) =>
        [...headings.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({ file, name, title })),
      ),
    );
    expect(references.length).toBeGreaterThan(20);
    const missing = references.filter(({ name, title }) => {
      const page = pageOf(name);
      return (
        page === undefined ||
        !textOf(page)
          .split("\n")
          .some((line) => line.replace(/^#+ /, "# ") === `# ${title}`)
      );
    });
    expect(missing).toEqual([]);
  });
});
