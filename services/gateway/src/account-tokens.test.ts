import type { ServerResponse } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { newGid, type ServiceAccountCaller } from "@ikg/contracts";
import type { Redis } from "ioredis";
import { watchAccountTokens } from "./account-tokens.ts";

const now = Date.parse("2026-03-01T12:00:00Z");
const day = 86_400_000;

const caller = (kid: string): ServiceAccountCaller => ({
  kind: "service_account",
  credential_kid: kid,
  org: newGid("organization"),
  service_account: newGid("service_account"),
});

/** A gateway whose tokens all expire then, and what it has said of them. */
const watching = (expires: number) => {
  const [written, warned, headers]: [unknown[], unknown[], string[]] = [[], [], []];
  let clock = now;
  const redis = { set: (...args: unknown[]) => Promise.resolve(void written.push(args)) };
  const onAdmitted = watchAccountTokens(
    { expiryOf: () => expires },
    redis as unknown as Redis, // the one command that is used
    { warn: (_message, fields) => warned.push(fields?.["kid"]) },
    () => clock,
  );
  const response = { setHeader: (name: string, value: string) => headers.push(`${name}: ${value}`) };
  return {
    written,
    warned,
    headers,
    ask: (kid: string) => onAdmitted(caller(kid), response as unknown as ServerResponse),
    later: (ms: number) => void (clock += ms),
  };
};

describe("tokens of service accounts", () => {
  it("are noted once a day when they are used", () => {
    const { ask, later, written } = watching(Infinity);
    for (const kid of ["a", "a", "b"]) ask(kid);
    later(day);
    ask("a");
    expect(written).toEqual([
      ["ikg:last-use:a", "2026-03-01", "EX", 34_560_000],
      ["ikg:last-use:b", "2026-03-01", "EX", 34_560_000],
      ["ikg:last-use:a", "2026-03-02", "EX", 34_560_000],
    ]);
  });

  it("say so for 14 days before they expire, and once in the log", () => {
    const soon = watching(now + 13 * day);
    for (const kid of ["a", "a"]) soon.ask(kid);
    expect(soon.headers).toEqual(Array(2).fill("X-Token-Expires: 2026-03-14T12:00:00.000Z"));
    expect(soon.warned).toEqual(["a"]);
    const later = watching(now + 15 * day);
    later.ask("a");
    expect([later.headers, later.warned]).toEqual([[], []]);
  });

  it("are those of service accounts alone", () => {
    const { written } = watching(now);
    const headers: string[] = [];
    const onAdmitted = watchAccountTokens(
      { expiryOf: () => now },
      {} as Redis,
      { warn: () => undefined },
      () => now,
    );
    const person = { kind: "user", org: newGid("organization"), issuer: "i", sub: "s", grants: {} } as const;
    onAdmitted(person, { setHeader: (name: string) => headers.push(name) } as unknown as ServerResponse);
    expect([written, headers]).toEqual([[], []]);
  });
});
