import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { StoredKbacPolicy } from "@ikg/catalog";
import type { SimulationInputs } from "@ikg/contracts";
import { createOffice } from "./office.ts";
import {
  pairsOf,
  type PolicyText,
  put,
  remove,
  type SimulationsUnderTest,
  startSimulations,
  stored,
} from "./simulations-under-test.ts";

let service: SimulationsUnderTest;
beforeAll(async () => {
  service = await startSimulations();
  await createOffice(service);
}, 120_000);
afterAll(() => service?.close());

interface Case {
  readonly before?: readonly StoredKbacPolicy[];
  readonly changes: readonly object[];
  readonly after: readonly StoredKbacPolicy[];
  readonly inputs?: SimulationInputs;
}

const without = (all: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
  [...all].filter((each) => !others.has(each)).toSorted();

/** Simulates, and requires the pairs and the numbers that decisions one by one give. */
const check = async ({ before = [], changes, after, inputs = {} }: Case) => {
  service.setPolicies(...before);
  const answer = await service.simulate(changes, { inputs });
  const [old, next] = [await service.granted(before, inputs), await service.granted(after, inputs)];
  const [gained, lost] = [without(next, old), without(old, next)];
  expect({
    gained: pairsOf(answer, "gained"),
    lost: pairsOf(answer, "lost"),
    before: answer.questions[0]?.before,
    after: answer.questions[0]?.after,
  }).toEqual({
    gained,
    lost,
    before: { granted: old.size, exact: true },
    after: { granted: next.size, exact: true },
  });
  return { answer, gained: gained.length, lost: lost.length };
};

/** What each person wrote; and what the teams own. */
const wrote: PolicyText = { cypher: "MATCH (subject:Person)-[:WROTE]->(resource:Document)" };
const owned: PolicyText = {
  cypher: "MATCH (subject:Person)-[:MEMBER_OF]->(:Team)-[:OWNS]->(resource:Document)",
};
const open: PolicyText = {
  cypher: "MATCH (subject:Person), (resource:Document) WHERE resource.property.open = true",
};
const all: PolicyText = { cypher: "MATCH (subject:Person), (resource:Document)" };

/** The policy `rule` becomes another one, beside others; and back. */
const become = async (
  from: PolicyText,
  to: PolicyText,
  method: "scan" | "pairs",
  { others = [], inputs = {} }: { others?: readonly StoredKbacPolicy[]; inputs?: SimulationInputs } = {},
): Promise<void> => {
  for (const [old, next] of [
    [from, to],
    [to, from],
  ] as const) {
    const before = [stored("rule", old), ...others];
    const after = [stored("rule", next), ...others];
    const { answer, gained, lost } = await check({ before, changes: [put("rule", next)], after, inputs });
    expect([answer.questions[0]?.method, gained + lost > 0]).toEqual([method, true]);
  }
};

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

  it("counts what each other policy grants as before", async () => {
    await become(wrote, open, "scan");
    await become(owned, open, "scan", { others: [stored("wrote", wrote)] });
    await become(wrote, open, "scan", { others: [stored("owned", owned), stored("wrote", wrote)] });
  });

  it("is a policy that comes, goes, is switched off, or changes with others", async () => {
    const [a, b, c] = [stored("rule-a", wrote), stored("rule-b", open), stored("rule-c", owned)];
    await check({ changes: [put("rule-a", wrote)], after: [a] });
    await check({ before: [a, b], changes: [remove("rule-a")], after: [b] });
    await check({ before: [a, b], changes: [put("rule-a", wrote, { status: "INACTIVE" })], after: [b] });
    await check({ before: [a, b], changes: [put("rule-a", wrote, { status: "DRAFT" })], after: [b] });
    await check({
      before: [a, b],
      changes: [remove("rule-a"), put("rule-b", all), put("rule-c", owned)],
      after: [stored("rule-b", all), c],
    });
    await check({ before: [a, b], changes: [put("rule-a", open), put("rule-b", wrote)], after: [a, b] });
  });

  it("has filters on claims and parameters, and patterns that read them", async () => {
    const filter = { operator: "=", attribute: "$token.plan", value: "gold" };
    await become({ ...owned, filter }, wrote, "scan", { inputs: { token: { sub: "x", plan: "gold" } } });
    await become({ ...owned, filter }, wrote, "scan", { inputs: { token: { sub: "x", plan: "tin" } } });
    const own = {
      cypher: "MATCH (subject:Person), (resource:Document) WHERE subject.external_id = $token.sub",
    };
    await become(own, wrote, "scan", { inputs: { signed_in: true } });
    await become(own, wrote, "scan", { inputs: { token: { sub: "p1" } } });
    await become(own, wrote, "scan");
    const level = {
      cypher: "MATCH (subject:Person), (resource:Document) WHERE resource.property.level < $max",
    };
    await become(level, wrote, "scan", { inputs: { input_params: { max: 3 } } });
    const asks = {
      cypher:
        "MATCH (subject:Person), (resource:Document) WHERE resource.property.level < $request.context.max AND subject.external_id = $subject_external_id",
    };
    await become(asks, wrote, "scan", { inputs: { request: request({ context: { max: 3 } }) } });
  });

  it("is decided by the rule of tokens of 3.0-kbac", async () => {
    const strict: PolicyText = { ...open, version: "3.0-kbac" };
    for (const inputs of [{}, { signed_in: true }, { token: { sub: "p1" } }, { token: {} }]) {
      await become(wrote, strict, "scan", { inputs, others: [stored("owned", owned)] });
      const before = [stored("owned", owned), stored("wrote", wrote)];
      await check({
        before,
        changes: [put("new", strict)],
        after: [...before, stored("new", strict)],
        inputs,
      });
      const strictToo = [...before, stored("old", strict)];
      await check({ before: strictToo, changes: [remove("old")], after: before, inputs });
    }
  });

  it("is decided by the tags of the policies, also where a tag alone changes", async () => {
    const strict: PolicyText = { ...open, version: "3.0-kbac" };
    const inputs = { token: { sub: "p1" }, request: request({ context: { policy_tags: ["b"] } }) };
    const plain = stored("plain", owned, ["b"]);
    const { lost } = await check({
      before: [plain, stored("rule", strict, ["a"])],
      changes: [put("rule", strict, { tags: ["b"] })],
      after: [plain, stored("rule", strict, ["b"])],
      inputs,
    });
    expect(lost).toBeGreaterThan(0);
  });
});

/** What a call brings of itself. */
function request(
  given: Partial<NonNullable<SimulationInputs["request"]>>,
): NonNullable<SimulationInputs["request"]> {
  return { subject: undefined, resource: undefined, action: undefined, context: undefined, ...given };
}

describe("a change of policies with every construct", () => {
  it.each<[string, "scan" | "pairs", PolicyText]>([
    [
      "aggregates",
      "scan",
      {
        cypher:
          "MATCH (subject:Person)-[:MEMBER_OF]->(t:Team)-[:OWNS]->(resource:Document) WITH subject, resource, count(t) AS teams WHERE teams >= 1",
      },
    ],
    [
      "CALL",
      "scan",
      {
        version: "3.0-kbac",
        cypher:
          "MATCH (subject:Person)-[:MEMBER_OF]->(t:Team) CALL (t) { MATCH (t)-[:OWNS]->(d:Document) RETURN count(d) AS owned } MATCH (resource:Document) WHERE owned > resource.property.level",
      },
    ],
    [
      "CALL that binds an end",
      "pairs",
      {
        version: "3.0-kbac",
        cypher:
          "CALL () { MATCH (subject:Person)-[:WROTE]->(resource:Document) RETURN subject, resource } MATCH (subject)-[:MEMBER_OF]->(t:Team) WHERE resource.property.level > 2",
      },
    ],
    [
      "a variable length",
      "scan",
      { cypher: "MATCH (subject:Person)-[:KNOWS*1..3]->(:Person)-[:WROTE]->(resource:Document)" },
    ],
    [
      "the id of the resource",
      "pairs",
      {
        cypher: "MATCH (subject:Person), (resource:Document) WHERE $resource_external_id IN ['d1', 'd2']",
      },
    ],
    [
      "a filter on the id of the resource",
      "pairs",
      { ...open, filter: { operator: "=", attribute: "$resource_external_id", value: "d3" } },
    ],
    [
      "a value that some pairs cannot be evaluated with",
      "scan",
      {
        cypher:
          "MATCH (subject:Person), (resource:Document) WHERE resource.property.level < 3 AND date(resource.property.title) = date('2026-01-01')",
      },
    ],
  ])("%s", async (_name, method, text) => {
    await become(wrote, text, method, { others: [stored("open", open)] });
    // Beside a change: the policy itself stays.
    const others = [stored("other", text)];
    const before = [stored("rule", wrote), ...others];
    await check({ before, changes: [put("rule", owned)], after: [stored("rule", owned), ...others] });
  });

  it("2.0-kbac where several clauses bind the resource, and LIMIT", async () => {
    const several: PolicyText = {
      cypher:
        "MATCH (subject:Person)-[:WROTE]->(resource:Document) WITH subject, resource MATCH (resource:Document)<-[:OWNS]-(:Team)",
    };
    await become(several, open, "scan");
    const limited: PolicyText = {
      cypher:
        "MATCH (subject:Person)-[:MEMBER_OF]->(t:Team) WITH subject, t LIMIT 1 MATCH (t)-[:OWNS]->(resource:Document)",
    };
    await become(limited, wrote, "pairs");
  });
});

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
    const { answer } = await check({
      before: [stored("rule", level())],
      changes: [put("rule", wrote)],
      after: [stored("rule", wrote)],
    });
    expect(answer.undetermined).toEqual(undetermined);
    const filter = { operator: "=", attribute: "$token.sub", value: "p1" };
    const perPerson = await check({
      changes: [put("rule", level(filter))],
      after: [stored("rule", level(filter))],
      inputs: { signed_in: true },
    });
    expect(perPerson.answer.undetermined).toEqual(undetermined);
    const nobody = await check({
      changes: [put("rule", level(filter))],
      after: [stored("rule", level(filter))],
    });
    expect(nobody.answer.undetermined).toEqual([]);
  });

  it("stays within the scope", async () => {
    service.setPolicies();
    const text = { ...wrote, actions: ["READ", "PRINT"] };
    const asked = async (scope: object): Promise<readonly string[]> => {
      const { questions } = await service.simulate([put("rule", text)], { scope });
      return questions.map(({ action }) => action);
    };
    expect(await asked({})).toEqual(["READ", "PRINT"]);
    expect(await asked({ action: "PRINT" })).toEqual(["PRINT"]);
    expect(await asked({ subject_type: "Person", resource_type: "Document", action: "READ" })).toEqual([
      "READ",
    ]);
    expect(await asked({ subject_type: "Robot" })).toEqual([]);
  });
});
