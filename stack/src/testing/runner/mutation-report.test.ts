import { describe, expect, it } from "@jest/globals";
import { mutationDocument } from "./mutation-document.ts";
import { type MutationReport, summarize, survivorsOf } from "./mutation-report.ts";

const at = (line: number, from: number, to: number) => ({
  start: { line, column: from },
  end: { line, column: to },
});

const mutants = [
  { status: "Killed", mutatorName: "EqualityOperator", replacement: "a > b", location: at(1, 11, 17) },
  { status: "Survived", mutatorName: "EqualityOperator", replacement: "a <= b", location: at(1, 11, 16) },
  { status: "Timeout", mutatorName: "BlockStatement", replacement: "{}", location: at(1, 1, 2) },
  { status: "NoCoverage", mutatorName: "StringLiteral", replacement: '""', location: at(2, 1, 4) },
  { status: "Ignored", mutatorName: "StringLiteral", replacement: '""', location: at(2, 1, 4) },
];
const source = 'const x = a < b;\n"c";\n';
const report: MutationReport = { files: { "libs/policy-core/src/rewrite/one.ts": { source, mutants } } };

describe("the summary of a mutation run", () => {
  it("gives the score of each file and of all", () => {
    expect(summarize(report)).toEqual([
      "  50.0 %  libs/policy-core/src/rewrite/one.ts (2 of 4 survived)",
      "  50.0 %  all (2 of 4 survived)",
    ]);
  });

  it("knows what survived, and where", () => {
    expect(survivorsOf(report).map(({ line, column, text }) => [line, column, text])).toEqual([
      [1, 11, "a < b"],
      [2, 1, '"c"'],
    ]);
  });

  it("becomes a page with a reason for each survivor", () => {
    const page = mutationDocument(report);
    expect(page).toContain("| rewrite/one.ts | 50.0 % | 2 | 4 |");
    expect(page).toContain("### Meaning on the database: 2");
    expect(page).toContain("rewrite/one.ts:1:11 EqualityOperator: a < b -> a <= b");
  });
});
