import { readdirSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { schemaVersions } from "@ikg/graph";
import { migrations } from "./all.ts";

describe("migrations", () => {
  it("are the files of this folder, numbered without gaps", () => {
    const files = readdirSync(import.meta.dirname).filter((name) => /^\d{4}-/.test(name));
    expect(migrations.map(({ version, name }) => `${String(version).padStart(4, "0")}-${name}.ts`)).toEqual(
      files,
    );
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
  });

  it("lead to the version that services understand", () => {
    expect(schemaVersions.newest).toBe(migrations.at(-1)?.version);
    expect(schemaVersions.readableFrom).toBe(Math.max(...migrations.map(({ readableFrom }) => readableFrom)));
  });

  it("leave data that the release before reads", () => {
    for (const { version, readableFrom } of migrations) expect(readableFrom).toBeLessThan(version);
  });

  it("have steps with different names", () => {
    for (const { shared, own } of migrations)
      for (const steps of [shared, own])
        expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
  });
});
