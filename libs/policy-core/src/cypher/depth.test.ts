import { describe, expect, it } from "@jest/globals";
import { maxRecursionDepth, maxTreeDepth } from "./depth.ts";
import { mapTree } from "./map.ts";
import { parse } from "./parser.ts";
import { printTree } from "./printer.ts";

const read = (condition: string) => parse(`MATCH (a) WHERE ${condition}`, { use: false, call: false });

const chain = (operator: string, count: number): string => Array(count).fill("a.x").join(` ${operator} `);

const refusal = `more than ${maxTreeDepth} nested or ${maxRecursionDepth} joined operators are not allowed`;

describe("depth of a tree", () => {
  it.each(["+", "-", "*", "^", "||"])("is bounded for a chain of %s", (operator) => {
    expect(read(`${chain(operator, 90)} = 1`).ok).toBe(true);
    const parsed = read(`${chain(operator, 110)} = 1`);
    expect(!parsed.ok && parsed.faults.map((fault) => fault.message)).toEqual([refusal]);
  });

  it.each(["AND", "OR", "XOR"])("does not grow with a chain of %s", (operator) => {
    const parsed = read(chain(operator, 380));
    expect(parsed.ok && printTree(mapTree(parsed.query, {}))).toBe(
      `MATCH (a) WHERE (${chain(operator, 380)})`,
    );
    expect(read(chain(operator, 410)).ok).toBe(false);
  });

  it("counts a chain of comparisons", () => {
    expect(read(chain("<", 90)).ok).toBe(true);
    expect(read(chain("<", 110)).ok).toBe(false);
  });

  it("names the place", () => {
    const parsed = read(`a.y = 1 AND ${"NOT ".repeat(120)}true`);
    expect(!parsed.ok && parsed.faults[0]?.offset).toBeGreaterThan(300);
  });
});
