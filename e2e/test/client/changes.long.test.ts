import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { admin, document, failureOf, ikg, mayRead } from "../../src/fixtures/client-project.ts";

describe("changes, simulations, replays and audit records", () => {
  const put = (status: "ACTIVE" | "INACTIVE") =>
    [
      {
        op: "put",
        collection: "authorization-policies",
        name: "may-read",
        record: { policy: mayRead, status },
      },
    ] as const;

  it("apply, list and revert changes", async () => {
    const dry = await admin.changes.apply(put("INACTIVE"), { dryRun: true });
    expect([dry.id, dry.changes.map(({ name }) => name)]).toEqual([undefined, ["may-read"]]);
    const applied = await admin.changes.apply(put("INACTIVE"), { message: "closed" });
    const id = applied.id ?? "";
    expect((await admin.changes.get(id)).changes[0]?.before?.["status"]).toBe("ACTIVE");
    const reverted = await admin.changes.revert(id, { message: "open again" });
    const messages = (await admin.changes.list({ pageSize: 1 }).toArray()).map(({ message }) => message);
    expect(messages.slice(0, 2)).toEqual(["open again", "closed"]);
    expect(reverted.reverts).toBe(id);
    expect((await admin.export()).changes.map(({ name }) => name)).toContain("may-read");
  });

  it("validate, list versions and roll back", async () => {
    const valid = { name: "fresh", status: "ACTIVE", policy: mayRead } as const;
    const { statements } = await admin.policies.validate(valid, { preview: true });
    expect(statements?.length).toBeGreaterThan(0);
    const error = await failureOf(admin.policies.validate({ ...valid, policy: { meta: {} } }));
    expect([error.status, error.errors.length > 0]).toEqual([422, true]);
    const versions = await admin.policies.versions("may-read").toArray();
    const [newest] = versions.map(({ version }) => version);
    expect(newest).toBe(versions.length);
    expect((await admin.policies.rollback("may-read", 1)).policy).toBe(JSON.stringify(mayRead));
  });

  it("simulate with progress, and replay recorded decisions", async () => {
    const progress: boolean[] = [];
    const request = { changes: put("INACTIVE"), budget_ms: 60_000 };
    for await (const { complete, questions } of admin.simulations.progress(request)) {
      progress.push(complete);
      if (complete) expect(questions[0]?.lost.count).toBe(300);
    }
    expect(progress.at(-1)).toBe(true);
    const simulation = await admin.simulations.simulate(request);
    expect(simulation.questions[0]?.lost.count).toBe(300);
    await ikg.as({ type: "Person", id: "p0" }).can("READ", document("d0"), { join: false });
    const isDecision = ({ type }: { type: string }): boolean => type === "audit.authorization.evaluation";
    const batches = await eventually(
      () => admin.audit.batches().toArray(),
      (found) => found.some(({ data }) => data.some(isDecision)),
      { withinMs: 30_000, everyMs: 250 },
    );
    const records = batches.flatMap(({ data }) => data.filter(isDecision)).slice(-1);
    const replay = await admin.simulations.replay({ records });
    expect(replay.results).toHaveLength(1);
    expect((await admin.audit.manifests().toArray()).length).toBeGreaterThanOrEqual(batches.length);
    expect(await admin.audit.checkpoints().toArray()).toEqual(expect.any(Array));
  });
});
