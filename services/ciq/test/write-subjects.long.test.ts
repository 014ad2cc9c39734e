import { describe, expect, it } from "@jest/globals";
import { useRankedCharts, here, policy } from "./ranked-charts.ts";

useRankedCharts();

describe("who the subject is", () => {
  it("$subject_external_id is an ordinary input parameter", async () => {
    const picked = policy(
      {
        allowed_upserts: { nodes: { existing_nodes: ["subject"] } },
        allowed_reads: undefined,
        allowed_deletes: undefined,
      },
      {
        cypher: "MATCH (subject:Nurse)",
        filter: [{ attribute: "subject.external_id", operator: "=", value: "$subject_external_id" }],
      },
    );
    const query = {
      upsert_nodes: [{ name: "subject", properties: [{ type: "by", value: "$_appId" }] }],
      nodes: ["subject.external_id"],
    };
    const rows = await here.execute(picked, query, { params: { subject_external_id: "n2" } });
    expect(rows).toEqual([{ nodes: { "subject.external_id": "n2" } }]);
    expect((await here.node("Nurse/n2"))?.fields["by"]).toBe(here.application);
  });
});
