import { describe, expect, it } from "@jest/globals";
import { csvLine } from "./csv.ts";
import { tableOf } from "./table.ts";

const style = (_: string, text: string): string => text;
const headers = ["NAME", "WHAT IT IS", "ID"];
const rows = [
  ["may-fly", "x".repeat(80), "gid:1"],
  ["may-read", undefined, { a: 1 }],
];
const linesOf = (width: number | undefined): readonly string[] =>
  tableOf(headers, rows, { style, width }).trimEnd().split("\n");

describe("a table", () => {
  it("is as wide as it needs to be where there is no terminal", () =>
    expect(linesOf(undefined)).toEqual([
      `NAME      ${"WHAT IT IS".padEnd(80)}  ID`,
      `may-fly   ${"x".repeat(80)}  gid:1`,
      `may-read  ${" ".repeat(80)}  {"a":1}`,
    ]));

  it("fits every terminal, and shows what it has cut", () => {
    for (let width = 24; width <= 120; width++)
      for (const line of linesOf(width)) expect(line.length).toBeLessThanOrEqual(width);
    expect(linesOf(60)[1]).toContain("…");
  });

  it("does not cut columns that are to be whole", () => {
    const whole = new Set([0, 2]);
    const [, first = ""] = tableOf(headers, rows, { style, width: 40, whole }).split("\n");
    expect(first).toMatch(/^may-fly {3}x+… {2}gid:1$/);
    expect(tableOf(headers, rows, { style, width: 20, whole })).toContain("NAME        may-fly\n");
  });

  it("is a block for each row where the terminal is too narrow for columns", () =>
    expect(linesOf(20)).toEqual([
      "NAME        may-fly",
      `WHAT IT IS  ${"x".repeat(80)}`,
      "ID          gid:1",
      "",
      "NAME        may-read",
      "WHAT IT IS  ",
      'ID          {"a":1}',
    ]));

  it("shows characters that would control the terminal, and does not send them", () => {
    const text = tableOf(["V"], [["a\u001b[31mb\nc\u009bd"]], { style, width: undefined });
    expect(text).toBe(String.raw`V
a\u001b[31mb\nc\u009bd
`);
  });
});

describe("a line of CSV", () => {
  it("quotes what has to be quoted (RFC 4180)", () =>
    expect(csvLine(["a", 'b"c', "d,e", "f\ng", 1, true, null, ["x"]])).toBe(
      'a,"b""c","d,e","f\ng",1,true,,"[""x""]"\r\n',
    ));
});
