import { describe, expect, it } from "@jest/globals";
import { openTestProjects, isLeftover } from "./test-projects.ts";
import type { Answer, Suite } from "./suite.ts";

const now = Date.parse("2026-06-01T12:00:00Z");
const runs = (pid: number): boolean => pid === 1;
const elsewhere = (pid: number): string => `ikg-test-000000000000-${pid}-abcdef012345`;

/** The name that a project of this machine gets. */
const nameHere = async (): Promise<string> => {
  const names: string[] = [];
  const configs = async (_: string, __: string, body?: unknown): Promise<Answer> => {
    names.push((body as { name: string }).name);
    return { status: 201, headers: new Headers(), body: { id: "gid:x" } };
  };
  const suite: Suite = { send: () => Promise.reject(new Error("not asked")), configs };
  await (await openTestProjects(suite, "gid:o")).create("one");
  return names[0] ?? "";
};

describe("a project of policy tests", () => {
  it("is left over on this machine when its process is gone", async () => {
    const name = (await nameHere()).replace(`-${process.pid}-`, "-2-");
    const record = { name, purpose: "TEST", update_time: "2026-06-01T11:59:59Z" };
    expect(isLeftover(record, now, runs)).toBe(true);
    expect(isLeftover({ ...record, name: name.replace("-2-", "-1-") }, now, runs)).toBe(false);
  });

  it("is left over on another machine when it was not used for ten minutes", () => {
    const record = { name: elsewhere(2), purpose: "TEST", update_time: "2026-06-01T11:51:00Z" };
    expect(isLeftover(record, now, runs)).toBe(false);
    expect(isLeftover({ ...record, update_time: "2026-06-01T11:49:00Z" }, now, runs)).toBe(true);
  });

  it("is none without the mark, or with a name that a person chose", () => {
    const old = "2026-01-01T00:00:00Z";
    expect(isLeftover({ name: elsewhere(2), update_time: old }, now, runs)).toBe(false);
    expect(isLeftover({ name: "ikg-test-mine", purpose: "TEST", update_time: old }, now, runs)).toBe(false);
  });
});
