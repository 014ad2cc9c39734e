import { describe, expect, it } from "@jest/globals";
import { Socket } from "node:net";
import { Problem } from "@ikg/contracts";
import { openAnonymousLimit } from "./anonymous-limit.ts";

const open = (perSecond: number) => {
  let now = 0;
  const refused: string[] = [];
  const limit = openAnonymousLimit(
    perSecond,
    ({ socket }) => socket.remoteAddress,
    (name) => refused.push(name),
    () => now,
  );
  const request = (address: string) => ({
    headers: {},
    socket: Object.defineProperty(new Socket(), "remoteAddress", { value: address }),
  });
  const isAdmitted = (address: string, credential?: string, wasRefused?: boolean): boolean => {
    try {
      limit(request(address), credential, wasRefused);
      return true;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 429) throw error;
      return false;
    }
  };
  const admitted = (
    count: number,
    address: string,
    credentialOf: (n: number) => string | undefined,
    wasRefused?: boolean,
  ): number =>
    Array.from({ length: count }, (_, n) => isAdmitted(address, credentialOf(n), wasRefused)).filter(Boolean)
      .length;
  return { admitted, isAdmitted, refused, pass: (ms: number) => void (now += ms) };
};

const none = (): undefined => undefined;

describe("requests of unauthenticated callers", () => {
  it("are limited for each address in each second", () => {
    const { admitted, refused, pass } = open(20);
    expect(admitted(50, "203.0.113.1", none)).toBe(20);
    expect(admitted(50, "203.0.113.2", none)).toBe(20);
    expect(refused).toHaveLength(60);
    pass(1_000);
    expect(admitted(50, "203.0.113.1", none)).toBe(20);
  });

  it("keep no first request of a credential behind the same address out", () => {
    const { admitted, isAdmitted } = open(20);
    expect(admitted(1_000, "203.0.113.1", none)).toBe(20);
    expect(admitted(1_000, "203.0.113.1", () => "expired")).toBe(5);
    expect(admitted(1_000, "203.0.113.1", () => "wrong")).toBe(5);
    expect(isAdmitted("203.0.113.1", "right")).toBe(true);
  });

  it("with ever new credentials are limited together", () => {
    const { admitted } = open(20);
    expect(admitted(1_000, "203.0.113.1", (n) => `invented ${n}`)).toBe(20);
    expect(admitted(10, "203.0.113.2", (n) => `invented ${n}`)).toBe(10);
  });

  it("with credentials that were refused keep no new one out, however many they are", () => {
    const { admitted, isAdmitted } = open(20);
    expect(admitted(1_000, "203.0.113.1", (n) => `refused ${n}`, true)).toBe(5);
    expect(admitted(20, "203.0.113.1", (n) => `new ${n}`)).toBe(20);
    expect(isAdmitted("203.0.113.1")).toBe(true);
  });

  it("may be as many as they like where there is no limit", () => {
    expect(open(0).admitted(1_000, "203.0.113.1", none)).toBe(1_000);
  });
});
