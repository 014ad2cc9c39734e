import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";

/** Comments, messages and pages refer to what a reader has: a public standard, a page of docs/ or a decision record. */
const root = new URL("../", import.meta.url);

const isSearched = (path: string): boolean =>
  !/(^|\/)(node_modules|\.tools|dist|recorded\.json|CHANGELOG\.md|references\.test\.ts)(\/|$)/.test(path);
const paths = [
  ...globSync("{libs,services,apps,stack,e2e,bench,docs,k8s}/**/*.{ts,tsx,mjs,sh,md,yml,yaml,json}", {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|\.tools)$/.test(path),
  }),
  ...globSync("*.{md,yml,mjs}", { cwd: root }),
].filter(isSearched);

/** Documents that are not part of the repository. Comments may break a reference over two lines. */
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
  /\bnames of ours\b/i,
  /\bnobody's any more\b/i,
  /\b(room|house) of (its|their) own\b/i,
  /\bthe rooms\b/i,
  /\bis nobody's\b/i,
  /\bsomebody else's\b/i,
  /\bunless told( otherwise)?\b/i,
  /\bas somebody asks\b/i,
  /\bcan(not)? be asked again\b/i,
  /\bbeside the (raw|bare) driver\b/i,
];

/** Persons where the field has a role, in sentences; data in quotes may be called anything. */
const persons = /(?<!["'/-])\b(nobody|somebody|whoever)\b(?!["'-])/i;

/** The comments of a program or a manifest, the whole of a page. */
const sentencesOf = (path: string): string => {
  const text = readFileSync(new URL(path, root), "utf8");
  const lines = text.split("\n");
  return path.endsWith(".md") ? text : lines.filter((line) => /^\s*(\*|\/\/|\/\*\*|#)/.test(line)).join("\n");
};

const found = (path: string, patterns: readonly RegExp[]): string[] => {
  const text = readFileSync(new URL(path, root), "utf8").replaceAll(/\s*\n\s*(\*|\/\/|#)?\s*/g, " ");
  return patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? []).map((words) => `${path}: ${words}`);
};

describe("the texts of the repository", () => {
  it("are searched for in all texts of the repository", () => {
    expect(paths.length).toBeGreaterThan(1_000);
  });

  it("point at nothing that the repository does not contain", () => {
    expect(paths.flatMap((path) => found(path, absent))).toEqual([]);
  });

  it("has no words of the deny-list", () => {
    expect(paths.flatMap((path) => found(path, denied))).toEqual([]);
  });

  it("names roles where it means them: a caller, a subject, an operator", () => {
    const named = paths.flatMap((path) => {
      const [words] = persons.exec(sentencesOf(path)) ?? [];
      return words === undefined ? [] : [`${path}: ${words}`];
    });
    expect(named).toEqual([]);
  });
});
