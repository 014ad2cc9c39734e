import { describe, expect, it } from "@jest/globals";
import { splitLines } from "./split-lines.ts";

const linesOf = (
  pieces: readonly string[],
  limit = 10,
): readonly (readonly [number, string | undefined])[] => {
  const lines: (readonly [number, string | undefined])[] = [];
  const splitter = splitLines((line, number) => void lines.push([number, line?.toString()]), limit);
  for (const piece of pieces) splitter.push(Buffer.from(piece));
  splitter.end();
  return lines;
};

describe("lines of a text", () => {
  it("are the same wherever its pieces end", () => {
    const text = "one\n\ntwo\r\nthree";
    const whole = linesOf([text]);
    expect(whole).toEqual([
      [1, "one"],
      [3, "two\r"],
      [4, "three"],
    ]);
    for (let at = 0; at <= text.length; at++)
      expect(linesOf([text.slice(0, at), text.slice(at)])).toEqual(whole);
    expect(linesOf(text.split(""))).toEqual(whole);
  });

  it("cost next to nothing while they are blank, and are counted all the same", () => {
    const numbers: number[] = [];
    const splitter = splitLines((_line, number) => void numbers.push(number));
    const started = process.cpuUsage();
    const blank = Buffer.alloc(64 * 1024, "\n");
    for (let i = 0; i < 1_600; i++) splitter.push(blank);
    splitter.push(Buffer.from(" \t \r\nx"));
    splitter.end();
    const { user } = process.cpuUsage(started);
    expect(numbers).toEqual([1_600 * 64 * 1024 + 2]);
    expect(splitter.lines).toBe(1_600 * 64 * 1024 + 2);
    // A hundred million of them; each is one comparison.
    expect(user).toBeLessThan(5_000_000);
  });

  it("end with the last newline, or without one", () => {
    expect(linesOf(["a\n"])).toEqual([[1, "a"]]);
    expect(linesOf([""])).toEqual([]);
  });

  it("are left out when they are too long, and counted all the same", () => {
    const long = "x".repeat(11);
    const ten = "y".repeat(10);
    expect(linesOf([`${long}\n${ten}\n`, "xxxx", "xxxx", "xxxx\nb\n", long])).toEqual([
      [1, undefined],
      [2, ten],
      [3, undefined],
      [4, "b"],
      [5, undefined],
    ]);
  });
});
