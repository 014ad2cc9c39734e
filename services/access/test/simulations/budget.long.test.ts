import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Simulation } from "@ikg/contracts";
import { randomOrder, orderEnd, orderStart } from "../../src/simulations/random-order.ts";
import {
  options,
  put,
  type SimulationsUnderTest,
  startSimulations,
  stored,
} from "./simulations-under-test.ts";

const subjects = 2_000;
let service: SimulationsUnderTest;

/** Each person knows up to five documents of four hundred; what costs time is a path of some length. */
beforeAll(async () => {
  service = await startSimulations();
  const { write, label, project } = service;
  const node = (type: string, id: string) =>
    `(:_Node:${label}:${type}__${project.pk} {_key: $pk + '/${type}/' + ${id}, external_id: '' + ${id}, id: $pk + '${type}' + ${id}, type: '${type}'})`;
  await write(`UNWIND range(0, 399) AS i CREATE ${node("Document", "i")}`);
  await write(`UNWIND range(0, ${subjects - 1}) AS i CREATE ${node("Person", "i")}`);
  await write(
    `MATCH (d:Document__${project.pk}) WITH collect(d) AS documents
     MATCH (p:Person__${project.pk}) WITH documents, p, toInteger(p.external_id) AS i
     UNWIND range(0, i % 5) AS n WITH p, documents[(i + n * n) % 400] AS d CREATE (p)-[:KNOWS]->(d)`,
  );
}, 120_000);
afterAll(() => service?.close());

/** Takes its time for each subject. */
const slow = {
  cypher:
    "MATCH (subject:Person)-[:KNOWS]->(:Document)<-[:KNOWS]-(other:Person)-[:KNOWS]->(resource:Document) WITH subject, resource, count(other) AS others WHERE others >= 2",
};
const changes = [put("rule", slow)];

describe("a budget that ends", () => {
  it("gives estimates whose intervals hold the exact count, and a token that goes on to it", async () => {
    service.setPolicies();
    const more = { budget_ms: 100, examples: 3, seed: 7 };
    const answers: Simulation[] = [];
    let next: string | undefined;
    do {
      const answer = await service.simulate(changes, { ...more, ...(next !== undefined && { next }) });
      answers.push(answer);
      next = answer.next;
      if ((answer.questions[0]?.gained.count ?? 0) > 0) more.budget_ms = 30_000;
    } while (next !== undefined && answers.length < 50);
    const first = answers.find(({ questions }) => (questions[0]?.gained.count ?? 0) > 0);
    const last = answers.at(-1);
    const estimated = first?.questions[0];
    expect(first?.complete).toBe(false);
    expect(estimated?.gained.exact).toBe(false);
    expect(estimated?.subjects.of).toBe(subjects);
    expect(estimated?.gained.examples.length).toBeGreaterThan(0);
    const exact = last?.questions[0]?.gained;
    expect([last?.complete, exact?.exact]).toEqual([true, true]);
    // What is examined is all that is counted, and every subject costs about as much.
    const [hits = 0, allHits = 0] = [first?.database_hits, last?.database_hits];
    expect(hits).toBeGreaterThan(0);
    expect(allHits).toBeGreaterThan(hits);
    const { low = NaN, high = NaN } = estimated?.gained ?? {};
    // Three times the width: this is one sample, and an interval of 95 % may miss.
    const width = high - low;
    expect(exact?.count).toBeGreaterThanOrEqual(low - width);
    expect(exact?.count).toBeLessThanOrEqual(high + width);
    const whole = await service.simulate(changes, { budget_ms: 100_000, seed: 8, examples: 0 });
    expect(whole.questions[0]?.gained).toEqual({ count: exact?.count, exact: true, examples: [] });
    expect(whole.questions[0]?.after).toEqual({ granted: exact?.count, exact: true });
  }, 200_000);

  it("refuses a token of another simulation, of other policies, and one that was made up", async () => {
    service.setPolicies();
    const { next } = await service.simulate(changes, { budget_ms: 100, seed: 7 });
    expect(typeof next).toBe("string");
    const faults = async (body: object): Promise<unknown> => {
      const { status, text } = await service.send({ changes, budget_ms: 100, seed: 7, next, ...body });
      return [status, (JSON.parse(text) as { errors?: readonly string[] }).errors?.length];
    };
    expect(await faults({ seed: 8 })).toEqual([422, 1]);
    expect(await faults({ changes: [put("other", slow)] })).toEqual([422, 1]);
    expect(await faults({ inputs: { signed_in: true } })).toEqual([422, 1]);
    expect(await faults({ next: "made-up" })).toEqual([422, 1]);
    service.setPolicies(stored("rule", { cypher: "MATCH (subject:Person)-[:KNOWS]->(resource:Document)" }));
    expect(await faults({})).toEqual([422, 1]);
    service.setPolicies();
    expect((await service.send({ changes, budget_ms: 100, seed: 7, next })).status).toBe(200);
  });
});

describe("the random order", () => {
  const orderFor = async (seed: number): Promise<readonly string[]> => {
    const { graph, project } = service;
    const database = graph.of(project, undefined, "background");
    const order = randomOrder(
      [{ database, graph: undefined }],
      { pk: project.pk, type: "Person", seed },
      () => options,
    );
    const total = await order.count();
    const ids: string[] = [];
    for (let at = orderStart; at < orderEnd;) {
      const { nodes, until } = await order.band(at, 500, total);
      ids.push(...nodes.map(({ id }) => id));
      at = until;
    }
    return ids;
  };

  it("has every node once, in an order that looks uniform and that a seed chooses", async () => {
    const [first, again, other] = [await orderFor(1), await orderFor(1), await orderFor(2)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    for (const ids of [first, other]) {
      expect([ids.length, new Set(ids).size]).toEqual([subjects, subjects]);
      // The mean of any tenth is near that of all: its standard deviation is 39, and the limit five times that.
      for (let at = 0; at < subjects; at += subjects / 10) {
        const mean =
          ids.slice(at, at + subjects / 10).reduce((sum, id) => sum + Number(id), 0) / (subjects / 10);
        expect(Math.abs(mean - (subjects - 1) / 2)).toBeLessThan(195);
      }
      // As many neighbours rise as fall: half of 1,999, with a standard deviation of 13.
      const rises = ids.slice(1).filter((id, at) => Number(id) > Number(ids[at])).length;
      expect(Math.abs(rises - subjects / 2)).toBeLessThan(65);
    }
  });
});

describe("a page that cannot be examined in time", () => {
  it("ends with the budget, and does not count subjects twice", async () => {
    service.setPolicies(stored("rule", slow));
    const changed = [put("rule", { cypher: slow.cypher.replace("2", "3") })];
    for (let seed = 1; seed <= 3; seed++) {
      const { milliseconds, questions } = await service.simulate(changed, { budget_ms: 100, seed });
      expect(milliseconds).toBeLessThan(20_000);
      const { examined = 0, of = 0 } = questions[0]?.subjects ?? {};
      expect(examined).toBeLessThanOrEqual(of);
    }
  });
});
