import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { type PageRequest, Problem } from "@ikg/contracts";
import { connectGraph, type Graph, StatementTimeout } from "@ikg/graph";
import { newProjectKey, projectLabel } from "@ikg/physical";
import { neo4jOfTests } from "../../../stack/src/testing/test-environment.ts";
import { type Decide, openDecide } from "../src/decisions/decide.ts";
import { pageTokens } from "../src/decisions/page-token.ts";
import { openSearch, type Search } from "../src/decisions/search.ts";
import { snapshotOf, storedPolicy } from "./policies.ts";
import { projectOf } from "./project.ts";

const pk = newProjectKey(randomBytes(8));
const label = projectLabel(pk);
let graph: Graph;
let search: Search;

const count = 4_000;
const idOf = (n: number): string => `r${String(n).padStart(4, "0")}`;
/** Every tenth is open. */
const open = Array.from({ length: count / 10 }, (_, n) => idOf(n * 10));

beforeAll(async () => {
  graph = connectGraph(neo4jOfTests());
  await graph.prepare();
  await graph.shared.write(
    (tx) =>
      tx.run(
        `CREATE (:_Node:${label}:Reader__${pk} {_key: $pk + '/Reader/ann', external_id: 'ann', id: $pk + 'ann', type: 'Reader',
           few: range(1, 10), many: range(1, 180000)})
         WITH 1 AS one UNWIND $rows AS row
         CREATE (:_Node:${label}:Report__${pk} {_key: $pk + '/Report/' + row.x, external_id: row.x, id: $pk + row.x,
           type: 'Report', n: row.n})`,
        { pk, rows: Array.from({ length: count }, (_, n) => ({ x: idOf(n), n })) },
      ),
    { timeoutMs: 80_000 },
  );
  search = openSearch({ graph, tokens: pageTokens(randomBytes(32)), decide: openDecide(graph) }, "resource");
}, 60_000);
afterAll(async () => {
  await graph.shared.write((tx) => tx.run(`MATCH (n:${label}) DETACH DELETE n`, {}), { timeoutMs: 80_000 });
  await graph.close();
});

const policy = (list: "few" | "many"): StoredKbacPolicy => {
  // A long list costs the database some time for each resource that it looks at.
  const costly = `size([x IN subject.property.${list} WHERE x % 7 = resource.property.n % 7]) > 0`;
  const cypher = `MATCH (subject:Reader), (resource:Report) WHERE ${costly} AND resource.property.n % 10 = 0`;
  return storedPolicy({ cypher, subject: "Reader", resource: "Report" });
};
const project = projectOf(pk);
const snapshot = (list: "few" | "many"): ProjectSnapshot => snapshotOf(project, [policy(list)]);
const question = {
  subject: { type: "Reader", id: "ann" },
  resource: { type: "Report" },
  action: { name: "READ" },
  context: undefined,
  token: undefined,
};

type Answer = Awaited<ReturnType<Search>>;

/**
 * As a caller does, who has to retry: a decision that the database plans for the first time may take longer
 * than the search has, and then nothing was decided (503).
 */
const whenPlanned = async (ask: () => Promise<Answer>): Promise<Answer> => {
  for (let again = 0; ; again++)
    try {
      return await ask();
    } catch (error) {
      const hasRetryAfter = error instanceof Problem && error.headers["Retry-After"] !== undefined;
      if (!hasRetryAfter || again === 5) throw error;
    }
};

describe("a search that one statement does not finish", () => {
  it("says that the time was up and goes on, until everything was found once", async () => {
    const slow = snapshot("many");
    const found: string[] = [];
    let cut = 0;
    let pages = 0;
    for (let page: PageRequest = { limit: 150 }; pages < 200; pages++) {
      const currentPage = page;
      const answer = await whenPlanned(() => search(slow, question, currentPage, { timeoutMs: 2_000 }));
      found.push(...answer.results.map(({ id }) => id));
      if (answer.context?.complete === false) {
        cut++;
        expect(answer.page?.next_token).not.toBe("");
      } else if (answer.results.length < 150) expect(answer.page?.next_token).toBe("");
      if (answer.page?.next_token === "") break;
      page = { limit: 150, token: answer.page?.next_token };
    }
    expect(found).toEqual(open);
    expect(cut).toBeGreaterThan(0);
  }, 120_000);

  it("carries a page also where none was asked for, and has no total", async () => {
    const slow = snapshot("many");
    const answer = await whenPlanned(() => search(slow, question, undefined, { timeoutMs: 2_000 }));
    expect(answer.context).toEqual({ complete: false });
    expect(answer.page).toMatchObject({
      next_token: expect.stringMatching(/./),
      count: answer.results.length,
    });
    const counted = await whenPlanned(() => search(slow, question, { limit: 0 }, { timeoutMs: 2_000 }));
    expect(counted).toEqual({
      page: { next_token: expect.stringMatching(/./), count: 0 },
      results: [],
      context: { complete: false },
    });
  }, 60_000);

  it("finds everything before a candidate that cannot be decided in time", async () => {
    const slow = snapshot("many");
    const late = new Problem("unavailable", { cause: new StatementTimeout(100) });
    const decide: Decide = async (_snapshot, { resource }) => {
      if (resource.id === idOf(25)) throw late;
      return { decision: true };
    };
    const find = openSearch({ graph, tokens: pageTokens(randomBytes(32)), decide }, "resource");
    const first = await find(slow, question, undefined, { timeoutMs: 2_000 });
    expect(first.results.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, n) => idOf(n)));
    expect(first.context).toEqual({ complete: false });
    const next = { limit: 1_000, token: first.page?.next_token };
    await expect(find(slow, question, next, { timeoutMs: 2_000 })).rejects.toBe(late);
  }, 60_000);

  it("is one statement and complete as long as the time suffices", async () => {
    const quick = snapshot("few");
    expect(await search(quick, question, undefined, { timeoutMs: 10_000 })).toEqual({
      results: open.map((id) => ({ type: "Report", id })),
    });
  });
});
