/** Evaluations through the gateway, asked while nothing else happens and while a type is scored. */
import type { Driver } from "neo4j-driver";
import { openEvaluations } from "../../../stack/src/measurement/evaluations.ts";
import { inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { summarize, type Summary } from "../../../stack/src/measurement/statistics.ts";
import { openAdmin } from "../clients.ts";
import { atLeast, atMost, type Line, msText, perSecondText } from "../targets.ts";
import type { Project } from "../project.ts";
import type { Target } from "../settings.ts";
import { targets, plan } from "./plan.ts";
import type { BegunRun } from "./runs.ts";

const owners = 200;

interface Question {
  readonly body: string;
  readonly expected: boolean;
}

/** Owners with one car each, and who may drive which. */
const setUp = async (
  target: Target,
  driver: Driver,
  projectId: string,
  pk: string,
): Promise<readonly Question[]> => {
  const ids = Array.from({ length: owners }, (_, i) => `o${i}`);
  await driver.executeQuery(
    `UNWIND $ids AS id
     CREATE (o:_Node:_P__${pk}:Owner__${pk} {_key: $pk + '/Owner/' + id, id: $pk + 'o' + id, external_id: id, type: 'Owner'})
     CREATE (c:_Node:_P__${pk}:Car__${pk} {_key: $pk + '/Car/' + id, id: $pk + 'c' + id, external_id: id, type: 'Car'})
     CREATE (o)-[:OWNS]->(c)`,
    { ids, pk },
    { database: "neo4j" },
  );
  await openAdmin(target, projectId).policies.create({
    name: "drive-own",
    status: "ACTIVE",
    tags: [],
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Owner" },
      actions: ["DRIVE"],
      resource: { type: "Car" },
      condition: { cypher: "MATCH (subject:Owner)-[:OWNS]->(resource:Car)" },
    },
  });
  return ids.flatMap((id, i) =>
    [id, `o${(i + 1) % owners}`].map((car) => ({
      body: JSON.stringify({
        subject: { type: "Owner", id },
        action: { name: "DRIVE" },
        resource: { type: "Car", id: car },
      }),
      expected: car === id,
    })),
  );
};

/** @param begin begins a run that takes longer than the load */
export const measureLoad = async (
  target: Target,
  driver: Driver,
  project: Project,
  begin: () => Promise<BegunRun>,
): Promise<readonly Line[]> => {
  const questions = await setUp(target, driver, project.id, project.pk);
  const evaluations = openEvaluations(target.gateway, plan.callers);
  const headers = { "x-svc-clientkey": project.agent.apiKey };
  const ask = async (ms: number): Promise<Summary> =>
    summarize(
      await run(
        ({ body }: Question) => evaluations.evaluate(headers, body),
        inTurn(questions),
        plan.callers,
        ms,
      ),
    );
  try {
    // A policy that was just made is known everywhere within two seconds.
    for (const until = performance.now() + 10_000; performance.now() < until;)
      if (await evaluations.evaluate(headers, questions[0]?.body ?? "")) break;
    await ask(plan.loadMs);
    const alone = await ask(plan.loadMs);
    const begun = await begin();
    await begun.started();
    const beside = await ask(plan.loadMs);
    const { current_run: current } = await begun.state();
    await begun.ended();
    const when = current === undefined ? " (the run ended before)" : "";
    return [
      {
        what: `evaluations of ${plan.callers} callers while a type is scored${when}`,
        figure: perSecondText(beside.throughput),
        ...atLeast(beside.throughput / alone.throughput, targets.throughput),
        baseline: `while nothing is: ${perSecondText(alone.throughput)}`,
      },
      {
        what: "their p99",
        figure: msText(beside.p99),
        ...atMost(beside.p99 / alone.p99, targets.p99),
        baseline: `while nothing is: ${msText(alone.p99)}`,
      },
    ];
  } finally {
    await evaluations.close();
  }
};
