import { existsSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { claimHome } from "./claim.ts";
import { writePrivate } from "./home.ts";
import { makeScratch } from "./scratch.ts";

/** Homes of others are none of this test's business. */
const folder = mkdtempSync(join(tmpdir(), "ikg-scratch-test-"));
const { TMPDIR } = process.env;
beforeAll(() => void (process.env["TMPDIR"] = folder));
afterAll(() => {
  if (TMPDIR === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = TMPDIR;
  rmSync(folder, { recursive: true });
});

const age = (root: string): void => utimesSync(root, 0, 0);

it("a home stays as long as the run that made it, also after its suite has ended", async () => {
  const scratch = await makeScratch();
  (await claimHome(scratch.home, undefined))();
  age(scratch.home.root);
  await makeScratch();
  expect(existsSync(scratch.home.logs)).toBe(true);
});

it("a home of a run that was killed is removed by the next one", async () => {
  const scratch = await makeScratch();
  writePrivate(join(scratch.home.root, "owner.json"), { pid: process.pid, started: "another boot:1" });
  age(scratch.home.root);
  await makeScratch();
  expect(existsSync(scratch.home.root)).toBe(false);
});
