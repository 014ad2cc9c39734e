import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";

const root = new URL("../../../", import.meta.url);

/** What the oldest Node of the packages lacks: static functions, and methods of iterators. */
const absent =
  /\bPromise\.(withResolvers|try)\b|\bArray\.fromAsync\b|\b(Object|Map)\.groupBy\b|\bRegExp\.escape\b|\.(keys|values|entries)\(\)\s*\.(map|filter|flatMap|find|some|every|reduce|take|drop|toArray)\b/;

/** The command line, and what its package is built of. */
const sources = globSync("{apps/cli,libs/client,libs/imports,libs/sources}/src/**/*.ts", {
  cwd: root,
}).filter((path) => !path.endsWith(".test.ts") && !path.includes("/browser/"));

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");

describe("Node 20", () => {
  it("has every function that the packages call", () => {
    expect(sources.length).toBeGreaterThan(200);
    const found = sources.flatMap((path) => {
      const [call] = absent.exec(withoutComments(readFileSync(new URL(path, root), "utf8"))) ?? [];
      return call === undefined ? [] : [`${path}: ${call}`];
    });
    expect(found).toEqual([]);
  });
});
