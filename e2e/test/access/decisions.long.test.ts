import { beforeAll, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import {
  tenant,
  books,
  memberOf,
  readers,
  question,
  kbac,
  path,
  save,
  bearer,
  granted,
  found,
  useLibraryTown,
} from "../../src/fixtures/library-town.ts";
import { evaluate, tryEvaluate } from "../../src/requests/evaluate.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { trySearchResource } from "../../src/requests/search-resource.ts";
import { createTokenIssuer } from "../../src/tokens/token-issuer.ts";

useLibraryTown();

describe("decisions", () => {
  const advice = { error: "too_expensive", error_description: "a lower fee is needed" };
  beforeAll(async () => {
    await save(kbac("BORROW", `${path} WHERE resource.property.fee <= $max_fee`));
    await save(
      kbac("RESERVE", path, {
        operator: "AND",
        operands: [
          {
            attribute: "$token.scope",
            operator: "CONTAINS",
            value: "book:reserve",
            advice: { error: "narrow_scope" },
          },
          { attribute: "$token.level", operator: ">=", value: 2, advice },
        ],
      }),
    );
  });

  it("follow the pattern, the parameter and the type of its value", async () => {
    for (const [subject, max_fee, wanted] of [
      ["ida", 2, ["book-0", "book-1", "book-2"]],
      ["ida", 99, ["book-0", "book-1", "book-2", "book-3", "book-4"]],
      ["ida", -1, []],
      ["ida", "2", []],
      ["jon", 5, ["book-5"]],
      ["kim", 99, []],
      ["nobody", 99, []],
    ] as const) {
      const context = { input_params: { max_fee } };
      expect(await granted(subject, "BORROW", context)).toEqual(wanted);
      expect(await found(subject, "BORROW", context)).toEqual(wanted);
    }
  });

  it("that are plain denials say nothing else", async () => {
    for (const request of [
      question("kim", "BORROW", "book-0", { input_params: { max_fee: 9 } }),
      question("ida", "UNKNOWN", "book-0"),
      { ...question("ida", "BORROW", "book-0"), subject: { type: "Stranger", id: "ida" } },
      question("ida", "borrow", "book-0"),
    ])
      expect(await evaluate(request, tenant)).toEqual({ decision: false });
  });

  it("read the claims of the token on every call", async () => {
    const request = question("ida", "RESERVE", "book-0");
    const scope = "book:read book:reserve";
    expect(await evaluate(request, await bearer("ida", { scope, membership_level: 2 }))).toEqual({
      decision: true,
    });
    expect(
      await found(
        "ida",
        "RESERVE",
        {},
        { ...tenant, ...(await bearer("ida", { scope, membership_level: 3 })) },
      ),
    ).toHaveLength(5);
    expect(await evaluate(request, await bearer("ida", { scope, membership_level: 1 }))).toEqual({
      decision: false,
      context: { reason: expect.any(String), advice: [advice] },
    });
    const nothing = await evaluate(request, await bearer("ida"));
    expect(nothing.context?.advice).toEqual([{ error: "narrow_scope" }, advice]);
    const withoutToken = await evaluate(request, tenant);
    expect(withoutToken).toMatchObject({ decision: false, context: { reason: expect.any(String) } });
    expect(await found("ida", "RESERVE", {})).toEqual([]);
  });

  it("of one request are the same again and again", async () => {
    const request = question("ida", "BORROW", "book-1", { input_params: { max_fee: 1 } });
    const decisions = await Promise.all(Array.from({ length: 20 }, () => evaluate(request, tenant)));
    for (const each of decisions) expect(each).toEqual({ decision: true });
  });

  it("asked at the same time do not mix", async () => {
    const cases = books.flatMap(({ id, fee, library: at }) =>
      readers.flatMap((who) =>
        [0, 3, 6].map((max_fee) => ({ who, id, max_fee, wanted: memberOf[who] === at && fee <= max_fee })),
      ),
    );
    const decisions = await Promise.all(
      cases.map(({ who, id, max_fee }) =>
        evaluate(question(who, "BORROW", id, { input_params: { max_fee } }), tenant),
      ),
    );
    expect(decisions.map(({ decision }) => decision)).toEqual(cases.map(({ wanted }) => wanted));
  });

  it("grant when one candidate grants, though another lacks its parameter", async () => {
    await save(kbac("SEE", path));
    await save(kbac("SEE", `${path} WHERE resource.property.fee < $limit`));
    expect(await evaluate(question("ida", "SEE", "book-0"), tenant)).toEqual({ decision: true });
    const answer = await tryEvaluate(question("ida", "SEE", "book-6"), tenant);
    expect(requireRefusal(answer, 422)).toEqual(["missing or wrong input params, 'limit'"]);
  });

  it("take no notice of policies that are not ACTIVE", async () => {
    const policy = kbac("SLEEP", path);
    for (const status of ["INACTIVE", "DRAFT"] as const)
      await savePolicy(tenant.projectId, { policy, status });
    await save(kbac("WAKE", path));
    await eventually(
      () => evaluate(question("ida", "WAKE", "book-0"), tenant),
      ({ decision }) => decision,
    );
    expect(await evaluate(question("ida", "SLEEP", "book-0"), tenant)).toEqual({ decision: false });
  });

  it("consider the policies that carry one of the tags", async () => {
    await save(kbac("LIST", path), ["members"]);
    await save(kbac("LIST", "MATCH (subject:Reader), (resource:Book)"), ["everybody", "open"]);
    const ask = async (id: string, policy_tags?: readonly string[]) =>
      (await evaluate(question("ida", "LIST", id, { policy_tags }), tenant)).decision;
    expect(await ask("book-6")).toBe(true);
    expect(await ask("book-6", [])).toBe(true);
    expect(await ask("book-6", ["open"])).toBe(true);
    expect(await ask("book-6", ["members"])).toBe(false);
    expect(await ask("book-0", ["members", "other"])).toBe(true);
    expect(await ask("book-0", ["other"])).toBe(false);
    expect(await found("ida", "LIST", { policy_tags: ["members"] })).toHaveLength(5);
    expect(await found("ida", "LIST", { policy_tags: ["everybody"] })).toHaveLength(7);
  });

  it("read what the caller says about itself only where a policy names it", async () => {
    const soft = { attribute: "$request.action.properties.soft", operator: "=", value: true };
    await save(kbac("TOUCH", path, soft));
    const request = question("ida", "TOUCH", "book-0");
    const withProperties = (properties: object) => ({ ...request, action: { name: "TOUCH", properties } });
    expect(await evaluate(withProperties({ soft: true }), tenant)).toEqual({ decision: true });
    for (const properties of [{}, { soft: false }, { soft: "true" }, { hard: true }])
      expect((await evaluate(withProperties(properties), tenant)).decision).toBe(false);
    expect(
      (
        await evaluate(
          {
            ...request,
            context: { input_params: { soft: true, request: { action: { properties: { soft: true } } } } },
          },
          tenant,
        )
      ).decision,
    ).toBe(false);

    const fee = "coalesce($request.resource.properties.fee, resource.property.fee)";
    await save(kbac("PAY", `${path} WHERE ${fee} = 1 AND $request.context.place = 'desk'`));
    const paying = (resource: string, properties: object, place: string) => ({
      ...question("ida", "PAY", resource, { place }),
      resource: { type: "Book", id: resource, properties },
    });
    expect((await evaluate(paying("book-1", {}, "desk"), tenant)).decision).toBe(true);
    expect((await evaluate(paying("book-1", { fee: 2 }, "desk"), tenant)).decision).toBe(false);
    expect((await evaluate(paying("book-2", { fee: 1 }, "desk"), tenant)).decision).toBe(true);
    expect((await evaluate(paying("book-1", {}, "door"), tenant)).decision).toBe(false);
  });
});

describe("another user's token", () => {
  const message = "bearer token subject differs from requested subject";
  beforeAll(async () => {
    await save(kbac("SECOND", path, undefined, "2.0-kbac"));
    await save(kbac("THIRD", path, undefined, "3.0-kbac"), ["strict"]);
  });

  it("supplies claims under 2.0-kbac", async () => {
    expect(await evaluate(question("ida", "SECOND", "book-0"), await bearer("jon"))).toEqual({
      decision: true,
    });
  });

  it("is 403 under 3.0-kbac, for decisions and searches, granted or not", async () => {
    const jon = await bearer("jon");
    for (const id of ["book-0", "book-6", "unknown"]) {
      const answer = await tryEvaluate(question("ida", "THIRD", id), jon);
      requireRefusal(answer, 403);
      expect(answer.body).toEqual({ message });
    }
    requireRefusal(await trySearchResource(question("ida", "THIRD", "x"), jon), 403);
    const ida = await bearer("ida");
    expect(await evaluate(question("ida", "THIRD", "book-0"), ida)).toEqual({ decision: true });
    expect(await found("ida", "THIRD", {}, { ...tenant, ...ida })).toHaveLength(5);
    expect(await evaluate(question("ida", "THIRD", "book-0"), tenant)).toEqual({ decision: true });
  });

  it("is no 403 where no 3.0-kbac policy is asked", async () => {
    const jon = await bearer("jon");
    expect(await evaluate(question("ida", "NOTHING", "book-0"), jon)).toEqual({ decision: false });
    // The tags leave the strict policy out, so it is no candidate.
    const request = question("ida", "THIRD", "book-0", { policy_tags: ["other"] });
    expect(await tryEvaluate(request, jon)).toMatchObject({ status: 200, body: { decision: false } });
  });
});

describe("another claim as the subject", () => {
  it("is what decisions and queries compare, and the first one stays readable", async () => {
    const other = await createTokenIssuer(tenant.projectId, {
      ikg_node_type: "Reader",
      sub_claim: "reader_id",
    });
    const by = { key: tenant.key, bearer: await other.sign("account-1", { reader_id: "ida" }) };
    expect((await tryEvaluate(question("ida", "THIRD", "book-0"), by)).body).toEqual({ decision: true });
    requireRefusal(await tryEvaluate(question("account-1", "THIRD", "book-0"), by), 403);
    const account = { attribute: "$token.original_sub", operator: "=", value: "account-1" };
    await save(kbac("OPEN", path, account));
    expect(await evaluate(question("ida", "OPEN", "book-0"), by)).toEqual({ decision: true });
    const without = { key: tenant.key, bearer: await other.sign("ida") };
    requireRefusal(await tryEvaluate(question("ida", "OPEN", "book-0"), without), 401);
  });
});
