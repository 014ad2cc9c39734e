import { describe, expect, it } from "@jest/globals";
import { summarizeMutants } from "./mutation-report.ts";

const at = (line: number, from: number, to: number) => ({
  start: { line, column: from },
  end: { line, column: to },
});

describe("the summary of a mutation run", () => {
  it("names what survived and gives the score of each file and of all", () => {
    const mutants = [
      { status: "Killed", mutatorName: "EqualityOperator", replacement: "a > b", location: at(1, 11, 17) },
      { status: "Survived", mutatorName: "EqualityOperator", replacement: "a <= b", location: at(1, 11, 16) },
      { status: "Timeout", mutatorName: "BlockStatement", replacement: "{}", location: at(1, 1, 2) },
      { status: "NoCoverage", mutatorName: "StringLiteral", replacement: '""', location: at(2, 1, 4) },
      { status: "Ignored", mutatorName: "StringLiteral", replacement: '""', location: at(2, 1, 4) },
    ];
    const source = 'const x = a < b;\n"c";\n';
    expect(summarizeMutants({ files: { "one.ts": { source, mutants } } })).toEqual([
      "one.ts:1:11 EqualityOperator: a < b -> a <= b",
      'one.ts:2:1 StringLiteral: "c" -> ""',
      "  50.0 %  one.ts (2 survived)",
      "  50.0 %  of 4 changes were noticed",
    ]);
  });
});
