import { describe, expect, it } from "@jest/globals";
import { ProjectShare, type WaitingStatement } from "./project-share.ts";
import { Activity } from "@ikg/concurrency";
import { RoundRobin } from "./round-robin.ts";
import { Share } from "./share.ts";
import { statementClasses } from "./statement-class.ts";

const always = (): boolean => true;

/** One statement of each class, each of another project, the last class first; projects have this credit. */
const waitingWith = (creditOf: (statementClass: string) => number) => {
  const roundRobin = new RoundRobin<WaitingStatement, ProjectShare>();
  const activity = new Activity<Share>();
  for (const statementClass of statementClasses.toReversed()) {
    const share = new ProjectShare(statementClass, 1, activity, new Share(statementClass, 1, activity));
    const expected = {
      statementClass: "query",
      weight: "short",
      ms: 1,
      mayTurnHeavy: false,
      isPaced: false,
      usesEstimate: true,
    } as const;
    const statement: WaitingStatement = {
      share,
      statementClass,
      text: "t",
      rows: 1,
      expected,
      since: 0,
      start: () => undefined,
    };
    share.add(statement);
    roundRobin.add(share);
    share.credit = creditOf(statementClass);
  }
  /** The classes in the order in which their statements are started. */
  return (): string[] => {
    const order: string[] = [];
    for (let next = roundRobin.next(0, always); next !== undefined; next = roundRobin.next(0, always)) {
      order.push(next.statementClass);
      next.share.remove(next);
      roundRobin.remove(next.share);
    }
    return order;
  };
};

describe("of projects with credit", () => {
  it("decisions go before queries, these before captures, then requests about records, and imports, simulations and trust runs last", () => {
    expect(waitingWith(() => 10)()).toEqual(["decision", "query", "capture", "administration", "background"]);
  });

  it("none is passed by one that has used up its own, whatever it asks for", () => {
    const order = waitingWith((statementClass) => (statementClass === "decision" ? -50 : 10))();
    expect(order).toEqual(["query", "capture", "administration", "background", "decision"]);
  });
});
