import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { formatText } from "../format-text.ts";
import { inRepository } from "../repository.ts";
import type { Seen } from "../testing/runner/record-coverage.ts";
import { coveredBy, documentedStatuses, page, read } from "./coverage.ts";
import { testNames } from "./test-titles.ts";

const file = inRepository("docs", "coverage.md");
const recorded = process.env["IKG_COVERAGE"];

const seen = (from: string): readonly Seen[] =>
  readFileSync(from, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Seen); // written by stack/src/testing/runner/record-coverage.ts

const update = async (from: string): Promise<void> =>
  writeFileSync(file, await formatText("coverage.md", page(coveredBy(seen(from)))));

describe("the page of what tests show", () => {
  it("has a test for every status that the OpenAPI document promises, and a refusal for every endpoint", async () => {
    if (process.env["UPDATE_DOCS"] === "1" && recorded) await update(recorded);
    const covered = read(readFileSync(file, "utf8"));
    const shown = new Set(covered.map(({ endpoint, status }) => `${endpoint} ${status}`));
    const refused = new Set(covered.filter(({ status }) => status >= 400).map(({ endpoint }) => endpoint));
    const missing = documentedStatuses().flatMap(([endpoint, status]) => [
      ...(shown.has(`${endpoint} ${status}`) ? [] : [`${endpoint} ${status}`]),
      ...(refused.has(endpoint) ? [] : [`${endpoint}, refused`]),
    ]);
    expect(missing).toEqual([]);
  });

  it("names tests that are there", () => {
    const names = new Map<string, RegExp>();
    const namesOf = (path: string): RegExp => {
      const known = names.get(path) ?? testNames(readFileSync(inRepository(path), "utf8"));
      names.set(path, known);
      return known;
    };
    const covered = read(readFileSync(file, "utf8"));
    expect(covered.filter((each) => !namesOf(each.file).test(each.test))).toEqual([]);
    // Computed titles may be anything; where all were, every name would be there.
    expect([...names].filter(([, known]) => known.test("no such group has no such test"))).toEqual([]);
  });
});
