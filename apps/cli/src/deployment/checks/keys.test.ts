import { describe, expect, it } from "@jest/globals";
import type { IkgAdmin } from "@ikg/client";
import { checkKeys } from "./keys.ts";

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const kid = (letter: string): string => letter.repeat(16);
const keyText = (letter: string, kind = "ak1"): string => `${kind}_${kid(letter)}_secret_0`;

interface Given {
  /** Expiry of each key, by the letter of its kid; no value: it never expires. */
  readonly agents?: Readonly<Record<string, Readonly<Record<string, number | undefined>>>>;
  readonly accounts?: Readonly<Record<string, Readonly<Record<string, number | undefined>>>>;
}

const keysOf = (holders: NonNullable<Given["agents"]>, parent: string) =>
  Object.entries(holders).flatMap(([name, keys]) =>
    Object.entries(keys).map(([letter, days]) => ({
      kid: kid(letter),
      display_name: letter,
      expire_time: days === undefined ? undefined : inDays(days),
      [parent]: name,
    })),
  );

const adminWith = ({ agents = {}, accounts = {} }: Given): IkgAdmin => {
  const list = (items: readonly object[]) => ({ list: () => Promise.resolve(items) });
  const named = (holders: object) => list(Object.keys(holders).map((name) => ({ id: name, name })));
  return {
    agents: named(agents),
    agentCredentials: list(keysOf({ ...agents, deleted: { z: -9 } }, "application_agent_id")),
    serviceAccounts: named(accounts),
    serviceAccountCredentials: list(keysOf(accounts, "service_account_id")),
  } as unknown as IkgAdmin; // these collections alone are read
};

const find = async (given: Given, connection: Parameters<typeof checkKeys>[1] = {}) =>
  (await checkKeys(adminWith(given), connection)).map(
    ({ check, result, detail }) => `${result} ${check}: ${detail.replace(/ \d{4}-.*/, "")}`,
  );

describe("keys", () => {
  it("that are expired are of no consequence beside one that works, or without their agent", async () => {
    expect(
      await find({ agents: { desk: { a: -1, b: 90 }, hall: { c: -1, d: undefined }, none: {} } }),
    ).toEqual(["ok keys: 4, none in use expires soon"]);
  });

  it("of an agent or account that are all expired, or soon will be, are a warning", async () => {
    expect(
      await find({ agents: { desk: { a: -1, b: -2 }, hall: { c: -1, d: 3 } }, accounts: { ops: { e: -1 } } }),
    ).toEqual([
      "warning agent desk: all keys have expired, the last one",
      "warning agent hall: its last key expires",
      "warning service account ops: all keys have expired, the last one",
    ]);
  });

  it("in use are named, also beside another one that works", async () => {
    const given = { agents: { desk: { a: -1, b: 90, c: 3 } }, accounts: { ops: { e: 5, f: undefined } } };
    expect(await find(given, { clientKey: keyText("a") })).toEqual(["problem key a (used here): expired"]);
    expect(await find(given, { clientKey: keyText("c"), token: keyText("e", "sa1") })).toEqual([
      "warning key c (used here): expires",
      "warning key e (used here): expires",
    ]);
    expect(await find(given, { clientKey: keyText("b"), token: "opaque" })).toHaveLength(1);
  });
});
