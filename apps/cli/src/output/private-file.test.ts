import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { writePrivateFile } from "./private-file.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "ikg-private-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a private file", () => {
  it("is for its owner alone, and replaces a former one", () => {
    const path = join(folder, "below", "file");
    writePrivateFile(path, "one");
    writePrivateFile(path, "two");
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["two", 0o600]);
    expect(readdirSync(join(folder, "below"))).toEqual(["file"]);
  });

  it("leaves no secret behind where it cannot be written", () => {
    const path = join(folder, "taken");
    mkdirSync(path);
    expect(() => writePrivateFile(path, "secret")).toThrow("taken cannot be written");
    expect(readdirSync(folder)).toEqual(["taken"]);
  });
});
