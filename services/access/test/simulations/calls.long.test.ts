import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Simulation, newGid } from "@ikg/contracts";
import { newProjectKey } from "@ikg/physical";
import { projectOf } from "../project.ts";
import { openOffice, persons } from "./office.ts";
import { options, policyOf, put, type SimulationsUnderTest, stored } from "./simulations-under-test.ts";

let service: SimulationsUnderTest;
beforeAll(async () => void (service = await openOffice()), 120_000);
afterAll(() => service?.close());

const wrote = { cypher: "MATCH (subject:Person)-[:WROTE]->(resource:Document)" };
const owned = { cypher: "MATCH (subject:Person)-[:MEMBER_OF]->(:Team)-[:OWNS]->(resource:Document)" };
/** Every pair of each person is tried by itself, at 20 steps each: it lasts for as long as it may. */
const long = {
  cypher:
    "MATCH (subject:Person), (resource:Document) WHERE $resource_external_id = 'd1' AND EXISTS { (subject)-[:KNOWS*1..6]->(:Person)-[:WROTE]->(resource) }",
};
const lines = { accept: "application/x-ndjson" };

describe("a call for a simulation", () => {
  it("is answered line by line when it asks for that; the last line is the answer", async () => {
    service.setPolicies(stored("rule", long));
    const answer = await service.send({ changes: [put("rule", wrote)], budget_ms: 60_000 }, lines);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      expect.stringContaining("application/x-ndjson"),
    ]);
    const all = answer.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Simulation);
    expect(all.length).toBeGreaterThan(2);
    const examined = all.map(({ questions }) => questions[0]?.subjects.examined ?? 0);
    expect(examined).toEqual(examined.toSorted((a, b) => a - b));
    expect(all.at(-1)).toMatchObject({
      complete: true,
      questions: [{ subjects: { examined: persons.length, of: persons.length } }],
    });
    expect(all.slice(0, -1).some((line) => "next" in line)).toBe(false);
  });

  it("is the only one of its project at a time, and leaves its place when it ends or its caller leaves", async () => {
    service.setPolicies(stored("rule", long));
    const body = { changes: [put("rule", wrote)], budget_ms: 60_000 };
    const answers = await Promise.all([service.send(body), service.send(body, lines), service.send(body)]);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get("retry-after")).toBe("5");
    expect(refused?.text).toContain("a simulation or replay of this project is running");
    expect((await service.send(body)).status).toBe(200);
  });

  it("is 404 for a project of another organization, one that is not there, and one without a graph", async () => {
    const changes = [put("rule", wrote)];
    const asleep = { ...projectOf(newProjectKey(randomBytes(8))), ikgStatus: "PENDING" as const };
    service.addProject({ ...asleep, organizationId: service.project.organizationId });
    for (const answer of [
      await service.send({ changes }, {}, newGid("organization")),
      await service.send({ changes, project_id: newGid("project") }),
      await service.send({ changes, project_id: asleep.id }),
    ])
      expect([answer.status, answer.text.includes("project_id: ")]).toEqual([404, true]);
  });

  it("is 422 with the place of every fault", async () => {
    service.setPolicies(stored("rule", wrote));
    const { status, text } = await service.send({
      changes: [
        put("rule", { cypher: "MATCH (subject:Person)-[:WROTE]->(resource:Document" }),
        put("good", owned),
        put("bad", { cypher: "RETURN 1" }),
      ],
    });
    const { errors } = JSON.parse(text) as { errors: readonly string[] };
    expect(status).toBe(422);
    for (const place of ["changes[0].policy.condition.cypher", "changes[2].policy.condition.cypher"])
      expect(errors.filter((each) => each.startsWith(place)).length).toBeGreaterThan(0);
    expect(errors.some((each) => each.startsWith("changes[1]"))).toBe(false);
    for (const [body, place] of [
      [{ changes: [] }, "changes"],
      [{ changes: [put("rule", wrote), put("rule", owned)] }, "changes[1].name"],
      [{ changes: [put("rule", wrote)], budget_ms: 1 }, "budget_ms"],
      [
        { changes: [put("rule", wrote)], inputs: { request: { context: { policy_tags: 5 } } } },
        "inputs.request.context.policy_tags",
      ],
    ] as const) {
      const answer = await service.send(body);
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(place)]);
    }
  });

  it("is 409 for a version that is not the one of today, whatever the status of the record", async () => {
    service.setPolicies(stored("rule", wrote));
    const text = policyOf(wrote);
    await service.setRecords(
      { name: "rule", text, version: 1 },
      { name: "idle", text, version: 4, status: "INACTIVE" },
      { name: "draft", text, version: 2, status: "DRAFT" },
      { name: "query", text: {}, policy: "rule", version: 3 },
    );
    const conflicts = async (...versions: readonly (readonly [string, number])[]): Promise<unknown> => {
      const changes = versions.map(([name, if_version]) => ({ ...put(name, owned), if_version }));
      const { status, text: body } = await service.send({ changes });
      return [status, (JSON.parse(body) as { errors?: unknown }).errors];
    };
    for (const version of [0, 2])
      expect(await conflicts(["rule", version])).toEqual([
        409,
        [`changes[0].if_version: authorization policy rule has version 1, ${version} expected`],
      ]);
    expect(await conflicts(["rule", 1], ["idle", 3], ["draft", 0], ["absent", 1])).toEqual([
      409,
      [
        "changes[1].if_version: authorization policy idle has version 4, 3 expected",
        "changes[2].if_version: authorization policy draft has version 2, 0 expected",
        "changes[3].if_version: authorization policy absent does not exist (version 0), 1 expected",
      ],
    ]);
    expect(await conflicts(["rule", 1], ["idle", 4], ["draft", 2], ["absent", 0])).toEqual([200, undefined]);
    const removal = { op: "delete", collection: "knowledge-queries", name: "query", if_version: 2 };
    const answer = await service.send({ changes: [removal] });
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining("knowledge query query")]);
  });

  it("decides explicit questions before and after, in their order", async () => {
    service.setPolicies(stored("rule", wrote));
    const question = (subject: string, resource: string, more: object = {}) => ({
      subject: { type: "Person", id: subject },
      action: { name: "READ" },
      resource: { type: "Document", id: resource },
      ...more,
    });
    const strict = { ...owned, version: "3.0-kbac" as const };
    const answer = await service.simulate([put("rule", strict)], {
      questions: [
        question("p0", "d0"),
        question("p1", "d4"),
        question("p1", "d4", { token: { sub: "p1" } }),
        question("p1", "d4", { token: { sub: "p2" } }),
        question("nobody", "d0"),
        question(persons[6] ?? "", persons[6] ?? ""),
      ],
    });
    expect(answer).toMatchObject({
      complete: true,
      questions: [],
      answers: [
        { before: true, after: true },
        { before: false, after: true },
        { before: false, after: true },
        { before: false, after: false },
        { before: false, after: false },
        { before: false, after: false },
      ],
    });
  });

  it("says of whom nothing is known, where a decision does not end in its time", async () => {
    service.setPolicies(stored("rule", wrote));
    const paired = {
      cypher: "MATCH (subject:Person), (resource:Document) WHERE $resource_external_id = 'd1'",
    };
    service.setSlow("p1", "p4");
    try {
      const answer = await service.simulate([put("rule", paired)]);
      expect([answer.complete, answer.next]).toEqual([false, undefined]);
      const [question] = answer.questions;
      expect(question).toMatchObject({
        method: "pairs",
        // The subjects of whom something is known are a sample of all of them.
        gained: { exact: false },
        subjects: {
          examined: persons.length - 2,
          of: persons.length + 1,
          unexamined: { count: 2, examples: expect.arrayContaining(["p1", "p4"]) },
        },
      });
      const ask = (id: string) => ({
        subject: { type: "Person", id },
        action: { name: "READ" },
        resource: { type: "Document", id: "d1" },
      });
      const explicit = await service.simulate([put("rule", paired)], { questions: [ask("p1"), ask("p2")] });
      expect([explicit.complete, explicit.answers]).toEqual([false, [{}, { before: false, after: true }]]);
    } finally {
      service.setSlow();
    }
    expect((await service.simulate([put("rule", paired)])).complete).toBe(true);
  });

  it("writes nothing", async () => {
    // Names that the whole database knows, which other tests add to meanwhile, are compared by nothing-written.long.alone.test.ts.
    const everything = (): Promise<unknown> =>
      service.graph.shared.read(
        `MATCH (n:${service.label}) OPTIONAL MATCH (n)-[r]->(m)
         WITH n, r, m ORDER BY n._key, type(r), m._key
         RETURN labels(n) AS labels, properties(n) AS node, type(r) AS type, properties(r) AS relationship, m._key AS to`,
        {},
        options,
      );
    const before = await everything();
    service.setPolicies(stored("rule", wrote));
    await service.simulate([put("rule", owned)]);
    await service.simulate([put("rule", long), put("other", owned)]);
    await service.simulate([
      put("rule", { ...owned, resource: "Ghost", cypher: owned.cypher.replace("Document", "Ghost") }),
    ]);
    expect(await everything()).toEqual(before);
  });

  it("leaves out a subject that is deleted meanwhile", async () => {
    const { write, label, project } = service;
    await write(
      `UNWIND range(0, 499) AS i CREATE (:_Node:${label}:Person__${project.pk} {_key: $pk + '/Person/x' + i, external_id: 'x' + i, id: $pk + 'x' + i, type: 'Person'})`,
    );
    service.setPolicies(stored("rule", wrote));
    const running = service.simulate([
      put("rule", { cypher: "MATCH (subject:Person), (resource:Document)" }),
    ]);
    await write(`MATCH (n:Person__${project.pk}) WHERE n._key STARTS WITH $pk + '/Person/x' DETACH DELETE n`);
    const answer = await running;
    expect(answer.complete).toBe(true);
    expect(answer.questions[0]?.lost.count).toBe(0);
  });
});
