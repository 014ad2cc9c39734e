import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { SimulationInputs } from "@ikg/contracts";
import type { PolicyText } from "../policies.ts";
import { all, become, check, open, owned, wrote } from "./compare.ts";
import { openOffice } from "./office.ts";
import {
  pairsOf,
  policyOf,
  put,
  remove,
  type SimulationsUnderTest,
  stored,
} from "./simulations-under-test.ts";

let service: SimulationsUnderTest;
beforeAll(async () => void (service = await openOffice()), 120_000);
afterAll(() => service?.close());

describe("a change of policies that are found in pages", () => {
  it("names who gains and who loses, with the policies that grant", async () => {
    const before = [stored("wrote", wrote), stored("rule", open)];
    service.setPolicies(...before);
    const answer = await service.simulate([put("rule", owned), put("second", owned)]);
    const { gained, lost } = answer.questions[0] ?? {};
    expect(gained?.examples[0]?.policies).toEqual(["rule", "second"]);
    expect(lost?.examples[0]?.policies).toEqual(["rule"]);
    expect(answer.questions[0]?.subjects).toEqual({ examined: 8, of: 8 });
    expect("next" in answer).toBe(false);
  });

  it("compares no question where a policy is put as it stands", async () => {
    service.setPolicies(stored("wrote", wrote), stored("rule", open));
    const answer = await service.simulate([put("rule", open)]);
    expect(answer).toMatchObject({ complete: true, questions: [] });
  });

  it("counts what each other policy grants as before", async () => {
    await become(service, wrote, open, "scan");
    await become(service, owned, open, "scan", { others: [stored("wrote", wrote)] });
    await become(service, wrote, open, "scan", { others: [stored("owned", owned), stored("wrote", wrote)] });
  });

  it("is a policy that comes, goes, is switched off, or changes with others", async () => {
    const [a, b, c] = [stored("rule-a", wrote), stored("rule-b", open), stored("rule-c", owned)];
    await check(service, { changes: [put("rule-a", wrote)], after: [a] });
    await check(service, { before: [a, b], changes: [remove("rule-a")], after: [b] });
    await check(service, {
      before: [a, b],
      changes: [put("rule-a", wrote, { status: "INACTIVE" })],
      after: [b],
    });
    await check(service, {
      before: [a, b],
      changes: [put("rule-a", wrote, { status: "DRAFT" })],
      after: [b],
    });
    await check(service, {
      before: [a, b],
      changes: [remove("rule-a"), put("rule-b", all), put("rule-c", owned)],
      after: [stored("rule-b", all), c],
    });
    await check(service, {
      before: [a, b],
      changes: [put("rule-a", open), put("rule-b", wrote)],
      after: [a, b],
    });
  });

  it("reads values that are too large for another policy", async () => {
    const heavy = {
      cypher:
        "MATCH (subject:Person), (resource:Document) WHERE any(a IN $request.context.a WHERE any(b IN $request.context.a WHERE a = b))",
    };
    const known = {
      cypher: "MATCH (subject:Person), (resource:Document) WHERE subject.external_id IN $request.context.a",
    };
    const request = {
      subject: undefined,
      resource: undefined,
      action: undefined,
      context: { a: [...Array.from({ length: 1_000 }, String), "p1", "p2"] },
    };
    const inputs = { request };
    await become(service, known, wrote, "pairs", { others: [stored("heavy", heavy)], inputs });
    await become(service, known, heavy, "pairs", { inputs });
  });

  it("has filters on claims and parameters, and patterns that read them", async () => {
    const filter = { operator: "=", attribute: "$token.plan", value: "gold" };
    await become(service, { ...owned, filter }, wrote, "scan", {
      inputs: { token: { sub: "x", plan: "gold" } },
    });
    await become(service, { ...owned, filter }, wrote, "scan", {
      inputs: { token: { sub: "x", plan: "tin" } },
    });
    const own = {
      cypher: "MATCH (subject:Person), (resource:Document) WHERE subject.external_id = $token.sub",
    };
    await become(service, own, wrote, "scan", { inputs: { signed_in: true } });
    await become(service, own, wrote, "scan", { inputs: { token: { sub: "p1" } } });
    await become(service, own, wrote, "scan");
    const level = {
      cypher: "MATCH (subject:Person), (resource:Document) WHERE resource.property.level < $max",
    };
    await become(service, level, wrote, "scan", { inputs: { input_params: { max: 3 } } });
    const asks = {
      cypher:
        "MATCH (subject:Person), (resource:Document) WHERE resource.property.level < $request.context.max AND subject.external_id = $subject_external_id",
    };
    await become(service, asks, wrote, "scan", { inputs: { request: request({ context: { max: 3 } }) } });
  });

  it("is decided by the rule of tokens of 3.0-kbac", async () => {
    const strict: PolicyText = { ...open, version: "3.0-kbac" };
    for (const inputs of [{}, { signed_in: true }, { token: { sub: "p1" } }, { token: {} }]) {
      await become(service, wrote, strict, "scan", { inputs, others: [stored("owned", owned)] });
      const before = [stored("owned", owned), stored("wrote", wrote)];
      await check(service, {
        before,
        changes: [put("new", strict)],
        after: [...before, stored("new", strict)],
        inputs,
      });
      const strictToo = [...before, stored("old", strict)];
      await check(service, { before: strictToo, changes: [remove("old")], after: before, inputs });
    }
  });

  it("is decided by the tags of the policies, also where a tag alone changes", async () => {
    const strict: PolicyText = { ...open, version: "3.0-kbac" };
    const inputs = { token: { sub: "p1" }, request: request({ context: { policy_tags: ["b"] } }) };
    const plain = stored("plain", owned, ["b"]);
    const { lost } = await check(service, {
      before: [plain, stored("rule", strict, ["a"])],
      changes: [put("rule", strict, { tags: ["b"] })],
      after: [plain, stored("rule", strict, ["b"])],
      inputs,
    });
    expect(lost).toBeGreaterThan(0);
  });

  it("keeps the tags of a policy that is switched on, unless it names others", async () => {
    const gained = async (more: object = {}): Promise<number> => {
      const inputs = { request: request({ context: { policy_tags: ["night"] } }) };
      const answer = await service.simulate([put("rule", wrote, more)], { inputs });
      return pairsOf(answer, "gained").length;
    };
    service.setPolicies();
    await service.setRecords({ name: "rule", text: policyOf(wrote), status: "INACTIVE", tags: ["night"] });
    expect([await gained(), await gained({ tags: ["day"] })]).toEqual([8, 0]);
    await service.setRecords();
    expect(await gained()).toBe(0);
  });
});

/** What a call brings of itself. */
function request(
  given: Partial<NonNullable<SimulationInputs["request"]>>,
): NonNullable<SimulationInputs["request"]> {
  return { subject: undefined, resource: undefined, action: undefined, context: undefined, ...given };
}

describe("changes that a simulation does not stumble over", () => {
  it("change nothing, delete what is not there, or concern other records", async () => {
    service.setPolicies(stored("rule", wrote));
    const ciq = {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Person" },
      condition: { cypher: "MATCH (subject:Person)-[:WROTE]->(d:Document)" },
      allowed_reads: { nodes: ["d.external_id"] },
    };
    const record = { policy: ciq, status: "ACTIVE" };
    const nothing = { complete: true, questions: [], undetermined: [] };
    for (const change of [
      put("rule", wrote),
      remove("not-there"),
      { op: "put", collection: "authorization-policies", name: "for-queries", record },
      { op: "delete", collection: "knowledge-queries", name: "some-query" },
    ])
      expect(await service.simulate([change])).toMatchObject(nothing);
    // What decides today is for queries afterwards, and decides nothing.
    const became = await service.simulate([
      { op: "put", collection: "authorization-policies", name: "rule", record },
    ]);
    expect(pairsOf(became, "lost")).toHaveLength(8);
  });

  it("name types that no node has", async () => {
    service.setPolicies();
    for (const types of [{ subject: "Ghost" }, { resource: "Ghost" }]) {
      const cypher = `MATCH (subject:${types.subject ?? "Person"}), (resource:${types.resource ?? "Document"})`;
      const answer = await service.simulate([put("rule", { ...types, cypher })]);
      expect(answer).toMatchObject({
        complete: true,
        questions: [{ gained: { count: 0, exact: true }, lost: { count: 0, exact: true } }],
      });
    }
  });

  it("lists a policy whose parameters are not known, and counts nothing of it", async () => {
    const level = (filter?: unknown): PolicyText => ({
      cypher: "MATCH (subject:Person), (resource:Document) WHERE resource.property.level < $max",
      filter,
    });
    const undetermined = [{ name: "rule", parameters: ["max"] }];
    const { answer } = await check(service, {
      before: [stored("rule", level())],
      changes: [put("rule", wrote)],
      after: [stored("rule", wrote)],
    });
    expect(answer.undetermined).toEqual(undetermined);
    const filter = { operator: "=", attribute: "$token.sub", value: "p1" };
    const perPerson = await check(service, {
      changes: [put("rule", level(filter))],
      after: [stored("rule", level(filter))],
      inputs: { signed_in: true },
    });
    expect(perPerson.answer.undetermined).toEqual(undetermined);
    const nobody = await check(service, {
      changes: [put("rule", level(filter))],
      after: [stored("rule", level(filter))],
    });
    expect(nobody.answer.undetermined).toEqual([]);
  });

  it("stays within the scope", async () => {
    service.setPolicies();
    const text = { ...wrote, actions: ["READ", "PRINT"] };
    const listActions = async (scope: object): Promise<readonly string[]> => {
      const { questions } = await service.simulate([put("rule", text)], { scope });
      return questions.map(({ action }) => action);
    };
    expect(await listActions({})).toEqual(["READ", "PRINT"]);
    expect(await listActions({ action: "PRINT" })).toEqual(["PRINT"]);
    expect(await listActions({ subject_type: "Person", resource_type: "Document", action: "READ" })).toEqual([
      "READ",
    ]);
    expect(await listActions({ subject_type: "Robot" })).toEqual([]);
  });
});
