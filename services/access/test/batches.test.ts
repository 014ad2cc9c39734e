import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { StoredKbacPolicy } from "@ikg/catalog";
import { type Decisions, EvaluationsRequest, parse } from "@ikg/contracts";
import { connectGraph } from "@ikg/graph";
import { openDecide } from "../src/decisions/decide.ts";
import { openEvaluateBatch } from "../src/decisions/evaluate-batch.ts";
import {
  openWard,
  type Ward,
  nurses,
  options,
  snapshot,
  keepers,
  seniors,
  limited,
  own,
  token,
  asking,
} from "./ward.ts";

let ward: Ward;

beforeAll(async () => {
  ward = await openWard();
});
afterAll(() => ward.close());

describe("evaluations", () => {
  const nurse = (id: string) => ({ type: "Nurse", id });
  const chart = (id: string) => ({ type: "Chart", id });
  const read = { name: "READ" };
  const evaluate = (body: unknown, policies = [keepers, limited], bearer = undefined as unknown) =>
    openEvaluateBatch(ward.decide)(
      snapshot(...policies),
      parse(EvaluationsRequest, body),
      bearer as Parameters<ReturnType<typeof openEvaluateBatch>>[2],
      options,
    );
  const decisionsOf = async (body: unknown, policies?: StoredKbacPolicy[]): Promise<boolean[]> =>
    ((await evaluate(body, policies)) as Decisions).evaluations.map(({ decision }) => decision);

  it("takes defaults whole, in request order", async () => {
    const body = {
      subject: nurse("n0"),
      action: read,
      resource: {},
      evaluations: [
        { resource: chart("c0") },
        { resource: chart("c1") },
        { resource: chart("c1"), subject: nurse("n1") },
        { resource: { id: "c0" } },
        {},
        null,
        [],
        { resource: chart("c0"), subject: null },
      ],
    };
    const { evaluations } = (await evaluate(body)) as Decisions;
    expect(evaluations.map(({ decision }) => decision)).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(evaluations[1]).toEqual({ decision: false });
    expect(evaluations[3]).toEqual({
      decision: false,
      context: {
        reason: "resource.type: required",
        error: { status: 400, message: "resource.type: required" },
      },
    });
    expect(evaluations[5]?.context?.error).toMatchObject({ status: 400 });
  });

  it("is a single evaluation without entries", async () => {
    const single = { subject: nurse("n0"), action: read, resource: chart("c0") };
    for (const more of [{}, { evaluations: null }, { evaluations: [] }])
      expect(await evaluate({ ...single, ...more })).toEqual({ decision: true });
    await expect(evaluate({ subject: nurse("n0") })).rejects.toMatchObject({
      status: 400,
      errors: expect.arrayContaining(["resource: required", "action: required"]),
    });
  });

  it("stops where the semantic says", async () => {
    const entries = ["c0", "c1", "c0", "c2"].map((id) => ({ resource: chart(id) }));
    const body = { subject: nurse("n0"), action: read, evaluations: entries };
    const semantic = (name: string) => ({ ...body, options: { evaluations_semantic: name, other: 1 } });
    expect(await decisionsOf(body)).toEqual([true, false, true, false]);
    expect(await decisionsOf(semantic("execute_all"))).toEqual([true, false, true, false]);
    expect(await decisionsOf(semantic("deny_on_first_deny"))).toEqual([true, false]);
    expect(await decisionsOf(semantic("permit_on_first_permit"))).toEqual([true]);
    const denied = { ...semantic("permit_on_first_permit"), subject: nurse("n4") };
    expect(await decisionsOf(denied)).toEqual([false, true]);
    await expect(async () => evaluate(semantic("whatever"))).rejects.toMatchObject({ status: 400 });
    await expect(async () => evaluate({ ...body, options: [] })).rejects.toMatchObject({ status: 400 });
    await expect(async () => evaluate({ ...body, evaluations: {} })).rejects.toMatchObject({ status: 400 });
    const many = Array.from({ length: 1_001 }, () => ({}));
    await expect(async () => evaluate({ evaluations: many })).rejects.toMatchObject({ status: 400 });
  });

  it("answers what one entry lacks in that entry", async () => {
    const body = {
      subject: nurse("n0"),
      resource: chart("c0"),
      evaluations: [{ action: { name: "COUNT" } }, { action: read }],
    };
    const reason = "missing or wrong input params, 'max'";
    expect(await evaluate(body)).toEqual({
      evaluations: [
        { decision: false, context: { reason, error: { status: 422, message: reason } } },
        { decision: true },
      ],
    });
    const { evaluations } = (await evaluate(
      { ...body, action: read, evaluations: [{}, { subject: nurse("n1") }] },
      [own],
      token("n0"),
    )) as Decisions;
    expect(evaluations[0]).toEqual({ decision: true });
    expect(evaluations[1]?.context?.error?.status).toBe(403);
  });

  it("asks the graph once for the entries of one action, and decides as single calls do", async () => {
    const pairs = nurses.flatMap((id) => ["c0", "c1", "c2"].map((each) => [id, each] as const));
    const body = {
      action: read,
      evaluations: pairs.map(([id, each]) => ({ subject: nurse(id), resource: chart(each) })),
    };
    const policies = snapshot(keepers, seniors);
    const single: boolean[] = [];
    for (const [id, each] of pairs) {
      const question = { ...asking(), subject: nurse(id), resource: chart(each) };
      single.push((await ward.decide(policies, question, options)).decision);
    }
    const before = ward.statements();
    const batch = (await openEvaluateBatch(ward.decide)(
      policies,
      parse(EvaluationsRequest, body),
      undefined,
      options,
    )) as Decisions;
    expect(batch.evaluations.map(({ decision }) => decision)).toEqual(single);
    expect(ward.statements() - before).toBe(1);
  });

  it("is 503 when the graph cannot be asked about any entry", async () => {
    const away = connectGraph({ uri: "bolt://127.0.0.1:1", username: "x", password: "y" });
    const entries = [{ resource: chart("c0") }, { resource: chart("c1") }];
    const body = parse(EvaluationsRequest, { subject: nurse("n0"), action: read, evaluations: entries });
    const batch = openEvaluateBatch(openDecide(away))(snapshot(keepers), body, undefined, options);
    await expect(batch).rejects.toMatchObject({ status: 503 });
    await away.close();
  });
});
