import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { StatementTimeout, unavailable } from "../errors.ts";
import { OwnSchema } from "./own-schema.ts";
import type { Row } from "../types.ts";

const ageMs = 60_000;
const understood: Row = { version: 1, readableFrom: 0 };
const tooNew: Row = { version: 7, readableFrom: 6 };
const reason =
  "the data has schema version 7, which requires a release that supports version 6 or later; this release supports schema versions 0 to 1: run the release that upgraded the data or a later one, see docs/upgrading.md";
const refused = { code: "unavailable", status: 503, errors: [`database: ${reason}`] };

let now: number;
let reads: number;
let answer: () => Promise<Row[]>;
let changes: (string | undefined)[];
let schema: OwnSchema;

beforeEach(() => {
  now = 0;
  reads = 0;
  changes = [];
  answer = () => Promise.resolve([understood]);
  schema = new OwnSchema({
    database: {
      read: () => {
        reads += 1;
        return answer();
      },
    },
    ageMs,
    onChange: (change) => void changes.push(change),
    now: () => now,
  });
});

describe("the version of the data of a project's own database", () => {
  it("is read once for the statements that wait for it, and then not before it is old", async () => {
    await Promise.all([schema.check(), schema.check(), schema.check()]);
    now = ageMs - 1;
    expect(schema.check()).toBeUndefined();
    expect([reads, changes]).toEqual([1, []]);
  });

  it("need not be there: nothing was prepared yet, or nothing was versioned", async () => {
    answer = () => Promise.resolve([]);
    await schema.check();
    expect(schema.check()).toBeUndefined();
    now = 2 * ageMs;
    answer = () => Promise.resolve([{ version: null, readableFrom: null }]);
    await schema.check();
    expect(schema.check()).toBeUndefined();
    expect(reads).toBe(2);
  });

  it("is read again beside the statements of a database that is used", async () => {
    await schema.check();
    now = ageMs;
    answer = () => Promise.resolve([tooNew]);
    expect(schema.check()).toBeUndefined();
    await turn();
    expect(reads).toBe(2);
    await expect(schema.check()).rejects.toMatchObject(refused);
    expect(changes).toEqual([reason]);
  });

  it("is awaited where the known one is too old", async () => {
    await schema.check();
    now = 2 * ageMs;
    answer = () => Promise.resolve([tooNew]);
    await expect(schema.check()).rejects.toMatchObject(refused);
  });

  it("that is refused is read again after its age, and not before", async () => {
    answer = () => Promise.resolve([tooNew]);
    await expect(schema.check()).rejects.toMatchObject(refused);
    answer = () => Promise.resolve([understood]);
    now = ageMs - 1;
    await expect(schema.check()).rejects.toMatchObject(refused);
    expect(reads).toBe(1);
    now = ageMs;
    await schema.check();
    expect(schema.check()).toBeUndefined();
    expect([reads, changes]).toEqual([2, [reason, undefined]]);
  });

  it("that cannot be read lets no statement pass", async () => {
    const lost = unavailable(new Error("lost"));
    answer = () => Promise.reject(lost);
    await expect(schema.check()).rejects.toBe(lost);
  });

  it.each([
    ["the version", new StatementTimeout(10_000)],
    ["that of the server before it", unavailable(new StatementTimeout(10_000))],
  ])("that is not read in time is not taken for a slow statement: %s", async (_what, timeout) => {
    answer = () => Promise.reject(timeout);
    const late: unknown = await schema.check()?.catch((error: unknown) => error);
    expect(late).toBeInstanceOf(Problem);
    expect(late).toMatchObject({
      code: "unavailable",
      cause: { name: "DatabaseUnavailableError", message: "the schema version was not read in time" },
    });
  });

  it("that cannot be read again counts for twice its age, and is tried at intervals", async () => {
    await schema.check();
    answer = () => Promise.reject(unavailable(new Error("lost")));
    for (now = ageMs; now < 2 * ageMs; now += 1_000) {
      expect(schema.check()).toBeUndefined();
      await turn();
    }
    // The first read, and one every 6 s.
    expect(reads).toBe(11);
    await expect(schema.check()).rejects.toMatchObject({ code: "unavailable", errors: [] });
  });
});
