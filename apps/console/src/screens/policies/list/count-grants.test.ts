import { describe, expect, it } from "@jest/globals";
import { countIn } from "./count-grants.ts";

const evaluation = (id?: string) => ({
  id: "record",
  type: "audit.authorization.evaluation",
  data: id === undefined ? {} : { granted_by: { id, version: 1 } },
});
const batch = {
  id: "record",
  type: "audit.authorization.evaluations",
  data: { count: 2, evaluations: [{ granted_by: { id: "a", version: 1 } }, {}] },
};
const otherRecord = { id: "record", type: "audit.configuration.update", data: { granted_by: { id: "a" } } };
const hostile = { id: "record", type: "audit.authorization.evaluations", data: null };

async function* of(...pages: readonly (readonly { id: string; type: string; data: unknown }[])[]) {
  for (const data of pages) yield { data: [...data] };
}

describe("grants by policy", () => {
  const since = new Date(0);

  it("are counted in single decisions and in batches", async () => {
    const grants = await countIn(of([evaluation("a"), evaluation(), batch], [otherRecord, hostile]), since);
    expect(grants).toEqual({ byPolicy: new Map([["a", 2]]), decisions: 4, since, isComplete: true });
  });

  it("are minimums where there are more records than are read", async () => {
    const grants = await countIn(of([evaluation("a")], [evaluation("a")]), since, 1);
    expect(grants).toMatchObject({ byPolicy: new Map([["a", 1]]), isComplete: false });
  });
});
