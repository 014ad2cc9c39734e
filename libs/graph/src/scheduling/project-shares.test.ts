import { describe, expect, it } from "@jest/globals";
import { capacityOf } from "./capacity.ts";
import type { ProjectShare } from "./project-share.ts";
import { ProjectShares } from "./project-shares.ts";
import { Turns } from "./turns.ts";

const limits = { concurrent_statements: 1, database_ms_per_second: 100 };

const open = (): ProjectShares =>
  new ProjectShares(capacityOf({ poolSize: 20, heavyStatements: 2 }), new Turns());

/** The share of a project that sends a statement now. */
const used = (shares: ProjectShares, id: string, now: number): ProjectShare => {
  const share = shares.of({ id, limits }, now);
  share.usedAt = now;
  return share;
};

const useMany = (shares: ProjectShares, prefix: string, count: number, now: number): void => {
  for (let at = 0; at < count; at++) used(shares, `${prefix}${at}`, now);
};

describe("the share of a project", () => {
  it("keeps the limits and the organization of a call that states them", () => {
    const shares = open();
    shares.of({ id: "p", organizationId: "o", limits }, 0);
    const { limit, msPerSecond, organizationId } = shares.of({ id: "p" }, 0);
    expect([limit, msPerSecond, organizationId]).toEqual([1, 100, "o"]);
  });

  it("follows the limits of each call that states some", () => {
    const shares = open();
    shares.of({ id: "p", limits }, 0);
    const { limit, msPerSecond } = shares.of({ id: "p", limits: { concurrent_statements: 2 } }, 0);
    expect([limit, msPerSecond]).toEqual([2, Infinity]);
  });

  it("belongs to the organization that a later call names", () => {
    const shares = open();
    const share = shares.of({ id: "p" }, 0);
    share.inFlight = 1;
    share.organization.inFlight = 1;
    const former = share.organization;
    expect(shares.of({ id: "p", organizationId: "o" }, 0)).toBe(share);
    expect([share.organizationId, share.organization.inFlight, former.inFlight]).toEqual(["o", 1, 0]);
  });
});

describe("more projects than are remembered", () => {
  it.each<[string, (share: ProjectShare) => void]>([
    ["database time", ({ time }) => time.take(1_000, 0)],
    ["pace", ({ pace }) => pace.charge(3_000, 0)],
  ])("leave one in debt of %s until it has paid", (_, overspend) => {
    const shares = open();
    const share = used(shares, "p", 0);
    overspend(share);
    useMany(shares, "early", 2_000, 1_000);
    expect(shares.find("project", "early0")).toBeUndefined();
    expect(shares.find("project", "p")).toBe(share);
    useMany(shares, "late", 2_000, 20_000);
    expect(shares.find("project", "p")).toBeUndefined();
  });

  it("are forgotten in debt as well when there are too many", () => {
    const shares = open();
    for (let at = 0; at < 5_000; at++) used(shares, `p${at}`, at).time.take(1e6, at);
    const kept = Array.from({ length: 5_000 }, (_, at) => shares.find("project", `p${at}`) !== undefined);
    expect(kept.filter(Boolean).length).toBeGreaterThan(3_000);
    expect(kept.filter(Boolean).length).toBeLessThanOrEqual(4_000);
    expect([kept.at(0), kept.at(-1)]).toEqual([false, true]);
  });
});
