import { describe, expect, it } from "@jest/globals";
import { recentDecisions } from "./recent-decisions.ts";

const subject = { type: "Person", id: "ann" };
const resource = { type: "Document", id: "d1" };
const decided = (decision: boolean, action = "READ") => ({ subject, action, resource, decision });

describe("decisions of audit records", () => {
  it("are counted, of evaluations and of batches, and the newest denials are first", () => {
    const records = [
      { id: "1", type: "audit.authorization.evaluation", time: "t1", status: 200, data: decided(true) },
      {
        id: "2",
        type: "audit.authorization.evaluations",
        time: "t2",
        status: 200,
        data: { evaluations: [decided(false, "EDIT"), decided(true), decided(false, "SIGN")] },
      },
      { id: "3", type: "audit.config.create", time: "t3", status: 503, data: {} },
    ];
    expect(recentDecisions(records)).toEqual({
      allowed: 2,
      denied: 2,
      failed: 1,
      denials: [
        { id: "2 2", time: "t2", subject, action: "SIGN", resource },
        { id: "2 0", time: "t2", subject, action: "EDIT", resource },
      ],
    });
  });

  it("are none of records that say something else", () => {
    const records = [
      { id: "1", type: "audit.authorization.evaluation", data: "<b>" },
      {
        id: "2",
        type: "audit.authorization.evaluations",
        data: { evaluations: [null, { decision: "yes" }] },
      },
    ];
    expect(recentDecisions(records)).toEqual({ allowed: 0, denied: 0, failed: 0, denials: [] });
  });
});
