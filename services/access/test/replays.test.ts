import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { AuditRecord } from "@ikg/audit";
import {
  above,
  buy,
  changed,
  first,
  hashes,
  noMatch,
  other,
  own,
  owners,
  plan,
  sell,
  unchanged,
  useReplayWorld,
  world,
} from "./replay-cases.ts";
import { newPolicyId, policyOf, type ReplayPolicy, tokenOf } from "./replay-world.ts";

useReplayWorld();

describe("the verdict of a replay", () => {
  afterEach(() => world.run(buy));

  it("is `same` where today decides as recorded", async () => {
    const snapshot = unchanged(owners);
    const records = [await world.evaluated(snapshot, own), await world.evaluated(snapshot, other)];
    const { verdicts, results } = await world.replay(snapshot, records);
    expect(verdicts).toEqual({ same: 2, policy_changed: 0, graph_changed: 0, not_replayable: 0 });
    expect(results).toEqual([
      { record: records[0]?.id, verdict: "same", then: true, now: true },
      { record: records[1]?.id, verdict: "same", then: false, now: false },
    ]);
  });

  it("is `policy_changed` where the recorded versions still answer as recorded", async () => {
    const { old, next } = await changed(owners, noMatch);
    const answer = await world.replay(next, [await world.evaluated(old, own)]);
    expect(first(answer)).toMatchObject({ verdict: "policy_changed", then: true, now: false });
  });

  it("is `policy_changed` where a policy has come", async () => {
    const record = await world.evaluated(world.snapshot(), own);
    expect(first(await world.replay(unchanged(owners), [record]))).toMatchObject({
      verdict: "policy_changed",
      then: false,
      now: true,
    });
  });

  it("is `graph_changed` where the recorded versions answer otherwise", async () => {
    const snapshot = unchanged(owners);
    const record = await world.evaluated(snapshot, own);
    await world.run(sell);
    expect(first(await world.replay(snapshot, [record]))).toMatchObject({
      verdict: "graph_changed",
      then: true,
      now: false,
    });
  });

  it("is `not_replayable` where a version is past its retention, unless today answers as recorded", async () => {
    const id = newPolicyId();
    const record = await world.evaluated(world.snapshot(policyOf(id, 1, owners)), own);
    const answer = await world.replay(world.snapshot(policyOf(id, 3, noMatch)), [record]);
    expect(first(answer)).toEqual({
      record: record.id,
      verdict: "not_replayable",
      then: true,
      now: false,
      because: { reason: "version_not_stored", missing: [`${id}@1`] },
    });
    expect(first(await world.replay(world.snapshot(policyOf(id, 3, owners)), [record]))?.verdict).toBe(
      "same",
    );
  });

  it("is made with versions of policies that were deleted since, as long as their change records are kept", async () => {
    const id = newPolicyId();
    const old = policyOf(id, 4, owners);
    const record = await world.evaluated(world.snapshot(old), own);
    expect(first(await world.replay(world.snapshot(), [record]))).toMatchObject({
      verdict: "not_replayable",
      because: { reason: "version_not_stored", missing: [`${id}@4`] },
    });
    await world.storeDeletion(old);
    expect(first(await world.replay(world.snapshot(), [record]))).toEqual({
      record: record.id,
      verdict: "policy_changed",
      then: true,
      now: false,
    });
    // Neither a version that decided nothing, nor another one, is the one that was tried.
    for (const more of [{ status: "INACTIVE" }, { version: 6 }]) {
      const other = policyOf(newPolicyId(), 4, owners);
      const recorded = await world.evaluated(world.snapshot(other), own);
      await world.storeDeletion({ ...other, version: 4, ...more }, more);
      expect(first(await world.replay(world.snapshot(), [recorded]))?.because?.reason).toBe(
        "version_not_stored",
      );
    }
  });

  it("is `not_replayable` where a decision does not end in its time, and the others are replayed", async () => {
    const snapshot = world.snapshot(policyOf(newPolicyId(), 1, owners));
    const bobs = { ...own, subject: { type: "Person", id: "bob" } };
    const records = [await world.evaluated(snapshot, own), await world.evaluated(snapshot, bobs)];
    world.setSlow("ann");
    try {
      expect((await world.replay(snapshot, records)).results).toMatchObject([
        { verdict: "not_replayable", because: { reason: "not_decided_in_time" } },
        { verdict: "same" },
      ]);
    } finally {
      world.setSlow();
    }
  });

  it("is not made with versions of another project", async () => {
    const id = newPolicyId();
    const old = policyOf(id, 1, owners);
    const record = await world.evaluated(world.snapshot(old), own);
    await world.store(old, "former");
    await world.run("MATCH (v {version_key: $key}) SET v.project_id = 'other', v.was = $project", {
      key: `${id}@1`,
    });
    const answer = await world.replay(world.snapshot(policyOf(id, 2, noMatch)), [record]);
    await world.run("MATCH (v {version_key: $key}) DELETE v", { key: `${id}@1` });
    expect(first(answer)?.because?.reason).toBe("version_not_stored");
  });
});

describe("inputs of a replay", () => {
  const request = {
    ...own,
    context: { input_params: { min: 2, note: "n" }, policy_tags: ["a"], room: "r1" },
  };

  it("are those that were recorded: parameters, properties, context, tags", async () => {
    const tagged = policyOf(newPolicyId(), 1, { ...above, tags: ["a"] });
    const all = policyOf(newPolicyId(), 1, { cypher: "MATCH (subject), (resource)" });
    const room = policyOf(newPolicyId(), 1, {
      cypher: "MATCH (subject), (resource)",
      filter: { operator: "=", attribute: "$request.context.room", value: "r1" },
      tags: ["b"],
    });
    const snapshot = world.snapshot(tagged, all, room);
    const low = { ...request, context: { ...request.context, input_params: { min: 9 } } };
    const inRoom = { ...own, context: { policy_tags: ["b"], room: "r1" } };
    const elsewhere = { ...own, context: { policy_tags: ["b"], room: "r2" } };
    const records = await Promise.all(
      [request, low, inRoom, elsewhere].map((body) => world.evaluated(snapshot, body)),
    );
    expect((await world.replay(snapshot, records)).results.map(({ then, now }) => [then, now])).toEqual([
      [true, true],
      [false, false],
      [true, true],
      [false, false],
    ]);
  });

  it("kept as hashes are not guessed, and do not matter where no policy reads them", async () => {
    const snapshot = unchanged({ ...above, tags: ["a"] });
    const onlyParameters = { ...own, context: { input_params: { min: 2 } } };
    const record = await world.evaluated(snapshot, onlyParameters, { settings: hashes });
    expect(first(await world.replay(snapshot, [record]))).toEqual({
      record: record.id,
      verdict: "not_replayable",
      then: true,
      because: { reason: "inputs_hashed", missing: ["$min"] },
    });
    expect(first(await world.replay(unchanged(owners), [record]))?.verdict).toBe("same");
    const withTags = await world.evaluated(snapshot, request, { settings: hashes });
    expect(first(await world.replay(unchanged(owners), [withTags]))?.because).toEqual({
      reason: "inputs_hashed",
      missing: ["$request.context"],
    });
  });

  it("of tokens are the recorded claims and the subject", async () => {
    const snapshot = unchanged({ ...plan("gold"), version: "3.0-kbac" });
    const records = await Promise.all(
      [tokenOf("ann", { plan: "gold" }), tokenOf("ann"), undefined].map((token) =>
        world.evaluated(snapshot, own, token && { token }),
      ),
    );
    expect((await world.replay(snapshot, records)).results.map(({ now, verdict }) => [now, verdict])).toEqual(
      [
        [true, "same"],
        [false, "same"],
        [false, "same"],
      ],
    );
  });

  it("lack claims that a policy of today reads and those of then did not", async () => {
    const { old, next } = await changed(owners, plan("gold"));
    const token = tokenOf("ann", { plan: "gold" });
    const record = await world.evaluated(old, own, { token });
    expect(first(await world.replay(next, [record]))).toMatchObject({
      verdict: "not_replayable",
      because: { reason: "claims_not_recorded", missing: ["$token.plan"] },
    });
    // No subject was signed in: that is known.
    const anonymous = await world.evaluated(old, own);
    expect(first(await world.replay(next, [anonymous]))).toMatchObject({
      verdict: "policy_changed",
      now: false,
    });
  });
});

describe("records of batches", () => {
  it("are replayed entry by entry, with the defaults of the batch", async () => {
    const snapshot = unchanged(above);
    const { resource: _, ...defaults } = { ...own, context: { input_params: { min: 2 } } };
    const record = await world.batch(snapshot, {
      ...defaults,
      evaluations: [
        { resource: own.resource },
        { resource: other.resource },
        { resource: own.resource, context: { input_params: { min: 9 } } },
        { resource: own.resource, context: null },
        // Rejected: a parameter is missing, a context of a wrong form, no object.
        { resource: own.resource, context: {} },
        { resource: own.resource, context: { input_params: "min" } },
        "nothing",
      ],
    });
    const { results } = await world.replay(snapshot, [record]);
    expect(results.map(({ entry, then, now, verdict }) => [entry, then, now, verdict])).toEqual([
      [0, true, true, "same"],
      [1, false, false, "same"],
      [2, false, false, "same"],
      [3, true, true, "same"],
      [4, false, false, "same"],
      [5, false, false, "same"],
      [6, false, undefined, "not_replayable"],
    ]);
    expect(results[6]?.because).toEqual({ reason: "incomplete_question" });
  });
});

describe("a replay", () => {
  let record: AuditRecord;
  beforeEach(async () => {
    record = await world.evaluated(unchanged(owners), own);
  });

  it("says what changes would decide, and what is not known for that", async () => {
    const snapshot = unchanged(owners);
    const put = (policy: ReplayPolicy) => [
      {
        op: "put",
        collection: "authorization-policies",
        name: "may-drive",
        record: { policy: policyOf("", 1, policy).text, status: "ACTIVE" },
      },
    ];
    expect(first(await world.replay(snapshot, [record], put(noMatch)))).toMatchObject({
      verdict: "same",
      now: true,
      with_changes: false,
    });
    const signedIn = await world.evaluated(snapshot, own, { token: tokenOf("ann", { plan: "gold" }) });
    expect(first(await world.replay(snapshot, [signedIn], put(plan("gold"))))).toEqual({
      record: signedIn.id,
      verdict: "same",
      then: true,
      now: true,
      with_changes_because: { reason: "claims_not_recorded", missing: ["$token.plan"] },
    });
  });

  it("refuses to replay what is no decision of the project", async () => {
    const { data: _, ...envelope } = record;
    const records = [
      { ...record, project_id: "gid:AAAAAgAAAAAAAAAAAAAAAAAAAAI" },
      { ...envelope, type: "audit.authorization.searchresource", data: { results: 3 } },
      { ...envelope, type: "audit.authorization.replay", data: { records: 1 } },
      { ...record, data: { ...record.data, decision: undefined } },
    ];
    const { results } = await world.replay(unchanged(owners), records);
    expect(results.map(({ because }) => because?.reason)).toEqual([
      "other_project",
      "search",
      "not_a_decision",
      "no_decision",
    ]);
  });

  it("writes nothing", async () => {
    const { old, next } = await changed(owners, above);
    const records = [await world.evaluated(old, own), await world.evaluated(old, other)];
    const before = await world.dump();
    await world.replay(next, records);
    expect(await world.dump()).toBe(before);
  });
});
