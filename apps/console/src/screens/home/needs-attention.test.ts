import { describe, expect, it } from "@jest/globals";
import { needsAttention } from "./needs-attention.ts";

const record = (type: string, data: object, rest: object = {}) => ({
  id: "r",
  type,
  time: "t1",
  outcome: "success",
  data,
  ...rest,
});
const failed = { outcome: "failed" };
const signing = { config_id: "c", provider: "CUSTOMER_AWS_KMS", reason: "access_denied" };

describe("what needs attention", () => {
  it("is an import that did not come to its end, once for its nodes and relationships", () => {
    const found = needsAttention([
      record("audit.capture.upsert.node", { count: 3, import_id: "i1" }, failed),
      record("audit.capture.upsert.relationship", { count: 3, import_id: "i1" }, { ...failed, time: "t2" }),
      record("audit.capture.upsert.node", { count: 3, import_id: "i2" }),
      // To cancel an import is to know that it is not complete.
      record("audit.capture.upsert.node", { count: 3, import_id: "i3", cancelled: true }, failed),
      // A batch that was refused says so to its caller.
      record("audit.capture.upsert.node", { count: 3 }, failed),
    ]);
    expect(found.map(({ id, time, kind }) => [id, time, kind])).toEqual([["import i1", "t2", "import"]]);
  });

  it("is a signing failure until signing works again", () => {
    const failure = record("audit.signing.failed", signing, failed);
    expect(needsAttention([failure]).map(({ text }) => text)).toEqual([
      "Audit records could not be signed by CUSTOMER_AWS_KMS: access_denied",
    ]);
    expect(needsAttention([failure, record("audit.signing.recovered", signing)])).toEqual([]);
    expect(
      needsAttention([failure, record("audit.signing.recovered", { ...signing, config_id: "d" })]),
    ).toHaveLength(1);
  });

  it("is a replaced Redis and a failed run of trust scores, the newest first", () => {
    const found = needsAttention([
      record("audit.trustscore.run", { profile_id: "p" }, failed),
      record("audit.streams.replaced", { until: "t" }),
      record("audit.trustscore.run", { profile_id: "q" }, failed),
      record("audit.trustscore.run", { profile_id: "q" }),
    ]);
    expect(found.map(({ kind }) => kind)).toEqual(["records", "scoring"]);
  });

  it("is a resolver that gives no values, with the last reason, until one of its calls succeeds", () => {
    const execution = (resolvers: readonly string[], failures: object = {}, time = "t1") =>
      record(
        "audit.ciq.execute",
        {
          resolvers,
          failed_resolvers: Object.entries(failures).map(([resolver, reason]) => ({ resolver, reason })),
        },
        { time },
      );
    const timeout = execution(["prices", "sizes"], { prices: "upstream_timeout" });
    const open = execution(["prices"], { prices: "circuit_open" }, "t2");
    expect(needsAttention([timeout, open])).toEqual([
      {
        id: "resolver prices",
        time: "t2",
        kind: "resolver",
        resolver: "prices",
        text: "The resolver prices returned no values. Too many calls failed; it is called again after half a minute",
      },
    ]);
    expect(needsAttention([timeout, execution(["sizes"])])).toHaveLength(1);
    expect(needsAttention([timeout, open, execution(["prices"])])).toEqual([]);
    expect(needsAttention([execution(["a"], { a: "of_another_release" })]).map(({ text }) => text)).toEqual([
      "The resolver a returned no values. of another release",
    ]);
    expect(
      needsAttention([record("audit.ciq.execute", { resolvers: 7, failed_resolvers: ["<b>"] })]),
    ).toEqual([]);
  });

  it("is nothing of records that say something else", () => {
    expect(needsAttention([{ id: "1", type: "audit.signing.other", data: "<b>" }])).toEqual([]);
  });
});
