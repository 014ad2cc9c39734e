/** A batch through the gateway, beside single evaluations and one statement for all of it by hand. */
import type { Driver } from "neo4j-driver";
import { type Ask, inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns } from "../../../stack/src/measurement/turns.ts";
import { read } from "../raw-driver.ts";
import type { Question } from "../drive/questions.ts";
import { handWrittenBatch } from "../drive/rules.ts";
import { nodeKey } from "../drive/write-graph.ts";
import { atMost, type Line, msText } from "../targets.ts";
import type { Client } from "./asks.ts";
import type { Bench } from "./bench.ts";
import { targets, plan } from "./plan.ts";

interface Batch {
  readonly entries: readonly Question[];
  readonly body: string;
  /** that every decision is the right one */
  readonly expected: true;
}

const { batchSize } = plan;

const batchesOf = (questions: readonly Question[]): readonly Batch[] =>
  Array.from({ length: Math.floor(questions.length / batchSize) }, (_, at) => {
    const entries = questions.slice(at * batchSize, (at + 1) * batchSize);
    const evaluations = entries.map(({ person, document }) => ({
      subject: { type: "Person", id: person },
      resource: { type: "Document", id: document },
    }));
    return { entries, body: JSON.stringify({ action: { name: "READ" }, evaluations }), expected: true };
  });

const areRight = (entries: readonly Question[], decisions: readonly boolean[]): boolean =>
  entries.length === decisions.length && entries.every(({ expected }, at) => expected === decisions[at]);

const askGateway =
  (client: Client): Ask<Batch> =>
  async ({ entries, body }) => {
    // Decisions, by the status.
    const { evaluations } = (await client.post("/access/v1/evaluations", body)) as {
      readonly evaluations: readonly { readonly decision: boolean }[];
    };
    return areRight(
      entries,
      evaluations.map(({ decision }) => decision),
    );
  };

const askDriver = (driver: Driver, pk: string): Ask<Batch> => {
  const text = handWrittenBatch("READ", pk);
  return async ({ entries }) => {
    const rows = entries.map(({ person, document }, i) => ({
      i,
      s: nodeKey(pk, "Person", person),
      r: nodeKey(pk, "Document", document),
    }));
    const decisions: boolean[] = [];
    for (const { i, granted } of await read<{ i: number; granted: boolean }>(driver, text, { rows }))
      decisions[i] = granted;
    return areRight(entries, decisions);
  };
};

/** One caller. */
export const measureBatch = async (
  { driver, clients, project }: Bench,
  questions: readonly Question[],
): Promise<readonly Line[]> => {
  const client = clients.gateway(project);
  const singles = inTurn(questions);
  const batches = inTurn(batchesOf(questions));
  const batch = askGateway(client);
  const rawDriver = askDriver(driver, project.pk);
  const turns = await takeTurns(
    {
      single: (ms) => run(client.evaluate, singles, 1, ms),
      batch: (ms) => run(batch, batches, 1, ms),
      unwind: (ms) => run(rawDriver, batches, 1, ms),
    },
    plan.batch,
    "batches",
  );
  const what = `batch of ${batchSize}, through the gateway, 1 caller, p50`;
  const figure = msText(turns.summary("batch").p50);
  return [
    {
      what,
      figure,
      ...atMost(turns.ratio("batch", "single", "p50"), targets.batchOfSingles),
      baseline: `single evaluation: ${msText(turns.summary("single").p50)}`,
    },
    {
      what: "- and one statement",
      figure,
      ...atMost(turns.ratio("batch", "unwind", "p50"), targets.batchOfUnwind),
      baseline: `raw UNWIND of ${batchSize}: ${msText(turns.summary("unwind").p50)}`,
    },
  ];
};
