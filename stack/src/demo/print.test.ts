import { execFileSync } from "node:child_process";
import { describe, expect, it } from "@jest/globals";
import { printDecisions, printQuery, printSearch, quoteForShell } from "./print.ts";
import { decisionQuestions, queryQuestions, searchQuestions } from "./questions.ts";

const tooWide = (lines: readonly string[]): string[] => lines.filter((line) => line.length > 100);

describe("print", () => {
  it("keeps decisions, with the longest advice, within 100 columns", () => {
    const advice = "lending takes the scope reel:lend";
    const decisions = decisionQuestions.map((question) => ({
      question,
      answer: { decision: false, advice },
    }));
    const lines = printDecisions(decisions);
    expect(tooWide(lines)).toEqual([]);
    expect(lines.join("\n")).toContain("denied");
  });

  it("keeps searches within 100 columns and says when nothing was found", () => {
    for (const question of searchQuestions) {
      expect(tooWide(printSearch(question, question.expected))).toEqual([]);
      expect(printSearch(question, []).at(-1)).toBe("    none");
    }
  });

  it("shows a value that is not there as a dash, and aligns numbers to the right", () => {
    const question = {
      ask: "Which?",
      query: "q",
      inputs: {},
      columns: [
        { title: "Film", from: "nodes", path: "film" },
        { title: "Year", from: "nodes", path: "year" },
      ],
      expected: [],
      why: "Because.",
    } as const;
    const rows = [{ nodes: { film: "Fog", year: 1924 } }, { nodes: { film: null, year: 7 } }];
    expect(printQuery(question, rows)).toEqual([
      "Which?",
      "    Because.",
      "    Film  Year",
      "    ----  ----",
      "    Fog   1924",
      "    -        7",
    ]);
  });

  it("keeps the titles of queries within 100 columns", () => {
    for (const question of queryQuestions) expect(tooWide(printQuery(question, []))).toEqual([]);
  });
});

describe("quoteForShell", () => {
  it("survives a shell", () => {
    const text = `it's "$HOME" \`x\` \\ done`;
    expect(execFileSync("sh", ["-c", `printf %s ${quoteForShell(text)}`], { encoding: "utf8" })).toBe(text);
  });
});
