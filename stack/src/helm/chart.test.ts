import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { inRepository } from "../repository.ts";
import { chartFiles, chartFolder, handWritten } from "./chart.ts";

const inChart = (file: string): string => inRepository(chartFolder, file);

const present = (): readonly string[] =>
  globSync("**/*", { cwd: inRepository(chartFolder) })
    .filter((file) => statSync(inChart(file)).isFile())
    .concat(".helmignore")
    .toSorted();

describe("the Helm chart", () => {
  it("is made from k8s and the settings (npm run generate writes it anew)", async () => {
    const files = await chartFiles();
    const expected = [...Object.keys(files), ...handWritten].toSorted();
    if (process.env["UPDATE_DOCS"] === "1") {
      // Of an object that is gone, or a service.
      for (const file of present().filter(
        (each) => each.startsWith("templates/") && !expected.includes(each),
      ))
        rmSync(inChart(file));
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(inChart(file)), { recursive: true });
        writeFileSync(inChart(file), text);
      }
    }
    expect(present()).toEqual(expected);
    for (const [file, text] of Object.entries(files))
      expect([file, readFileSync(inChart(file), "utf8")]).toEqual([file, text]);
  });
});
