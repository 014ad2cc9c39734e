import type { ProjectSnapshot } from "@ikg/catalog";
import type { Gid, Simulation, SimulationRequest } from "@ikg/contracts";
import type { Graph, StatementOptions } from "@ikg/graph";
import type { Budget } from "@ikg/policy-core";
import type { DecisionSwitches } from "@ikg/policy-core/statements";
import type { ElementIds } from "@ikg/query-rows";
import type { Decide } from "../decisions/decide.ts";
import { type AfterChanges, afterChanges } from "./after-changes.ts";
import { requireVersions } from "./expected-versions.ts";
import { answerQuestions } from "./explicit-questions.ts";
import { loadKeptTags } from "./kept-tags.ts";
import { pauseAfter } from "./pause-after.ts";
import type { Progress, ProgressTokens } from "./progress-tokens.ts";
import { withApplicationIds } from "./calling-applications.ts";
import { QueryRun } from "./query-run.ts";
import type { RequestedQuery } from "./query-side.ts";
import { loadQueryVersions, type QueryVersions } from "./query-versions.ts";
import { QuestionRun, type RunParts } from "./question-run.ts";
import { newState } from "./question-state.ts";
import { type AffectedQuestion, affectedQuestions } from "./questions.ts";
import { RequestedQueries } from "./requested-queries.ts";
import { decideOnce } from "./try-pairs.ts";
import { undeterminedOf } from "./undetermined.ts";

const defaults = { budgetMs: 5_000, examples: 20, seed: 1 };
/** A statement may take so long at most, in milliseconds; pages are smaller by far. */
const longestStatementMs = 20_000;
/** Limit of a statement that reads records. */
const recordsMs = 5_000;

export interface SimulateParts {
  readonly graph: Graph;
  readonly idsOf: (project: Gid) => ElementIds;
  readonly decide: Decide;
  readonly switches: DecisionSwitches;
  readonly budget: Budget;
  readonly tokens: ProgressTokens;
}

/** Of the request; the simulation ends with its signal. */
export type SimulateOptions = Pick<StatementOptions, "signal" | "requestId">;

/** Runs a simulation whose request was found valid. */
export type Run = () => AsyncGenerator<Simulation>;

/**
 * Prepares a simulation: whose access changes that are not made would give or take, and what queries would answer
 * (docs/authoring.md). Nothing is written.
 *
 * @returns what runs it: each value says more than the one before, the last one is the answer.
 * @throws Problem "unprocessable" (422) for texts that cannot be saved, "conflict" (409) for another version.
 */
export type Simulate = (
  snapshot: ProjectSnapshot,
  request: SimulationRequest,
  options: SimulateOptions,
) => Promise<Run>;

const runParts = (
  { graph, decide, switches }: SimulateParts,
  snapshot: ProjectSnapshot,
  after: AfterChanges,
  request: SimulationRequest,
  options: SimulateOptions,
  endsAt: number,
): RunParts => {
  const statement = (): StatementOptions => ({
    ...options,
    timeoutMs: Math.min(longestStatementMs, Math.max(1_000, endsAt - performance.now())),
  });
  const changed = after.changed.flatMap(({ before, after: next }) => [before, next]);
  return {
    snapshots: { before: snapshot, after: after.snapshot },
    changed: new Set(changed.filter((each) => each !== undefined)),
    graph,
    database: graph.of(snapshot.project, undefined, "background"),
    decide: decideOnce(decide, statement),
    switches,
    inputs: request.inputs ?? {},
    seed: request.seed ?? defaults.seed,
    examples: request.examples ?? defaults.examples,
    options: statement,
    // A statement whose limit was the end of the budget may be stopped a little before it.
    isOver: () => performance.now() >= endsAt - 10,
  };
};

/** Pages of all questions in turn until nothing is left or the time is over. */
async function* pages(
  runs: readonly QuestionRun[],
  endsAt: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<undefined> {
  for (;;) {
    const open = runs.filter((run) => !run.isFinished);
    if (open.length === 0) return;
    // Who gains and who loses comes first; how many have access is counted when that is known.
    const unknown = open.filter((run) => !run.isExamined);
    for (const run of unknown.length > 0 ? unknown : open) {
      if (performance.now() >= endsAt) return;
      const since = performance.now();
      await run.step();
      yield undefined;
      await pauseAfter(performance.now() - since, signal);
    }
  }
}

const elapsed = (since: number): number => Math.round(performance.now() - since);

/** Hits of all questions; absent where none is known. */
const hitsOf = (runs: readonly QuestionRun[]): Pick<Simulation, "database_hits"> => {
  const known = runs.flatMap(({ databaseHits }) => databaseHits ?? []);
  return known.length === 0 ? {} : { database_hits: known.reduce((sum, hits) => sum + hits, 0) };
};

/** A query as one caller calls it, and what it runs in both states. */
interface SimulatedVersions {
  readonly requested: RequestedQuery;
  readonly versions: QueryVersions;
}

/** What is simulated, checked and ready to run. */
interface PreparedSimulation {
  readonly snapshot: ProjectSnapshot;
  readonly request: SimulationRequest;
  readonly options: SimulateOptions;
  readonly after: AfterChanges;
  readonly questions: readonly AffectedQuestion[];
  readonly queries: readonly SimulatedVersions[];
  readonly former: Progress | undefined;
}

const prepare = async (
  { graph, budget, tokens }: SimulateParts,
  snapshot: ProjectSnapshot,
  request: SimulationRequest,
  options: SimulateOptions,
): Promise<PreparedSimulation> => {
  const statement = { ...options, timeoutMs: recordsMs };
  const keptTags = await loadKeptTags(graph.shared, snapshot, request.changes, statement);
  const after = afterChanges(snapshot, request.changes, keptTags, budget);
  const projectId = snapshot.project.id;
  const records = { database: graph.shared, projectId, budget, options: statement };
  const requestedQueries = request.queries ?? [];
  const names = requestedQueries.map(({ name }) => name);
  const versions = await loadQueryVersions(records, request.changes, names);
  const called = await withApplicationIds(records, requestedQueries);
  const queries = called.map((requested, index) => ({
    requested,
    versions: versions[index] ?? { before: undefined, after: undefined },
  }));
  await requireVersions(graph.shared, projectId, request.changes, statement);
  // Explicit questions take the place of those that the changes may alter.
  const questions = request.questions ? [] : affectedQuestions(snapshot, after, request.scope);
  return { snapshot, request, options, after, questions, queries, former: tokens.read(request, questions) };
};

async function* simulation(parts: SimulateParts, prepared: PreparedSimulation): AsyncGenerator<Simulation> {
  const { snapshot, request, options, after, questions, queries, former } = prepared;
  const { project } = snapshot;
  const since = performance.now();
  const endsAt = since + (request.budget_ms ?? defaults.budgetMs);
  const run = runParts(parts, snapshot, after, request, options, endsAt);
  const shown = { pk: project.pk, ids: parts.idsOf(project.id) };
  const requested = new RequestedQueries(
    queries.map(
      ({ requested: query, versions }) => new QueryRun({ ...run, project, shown }, versions, query),
    ),
    former?.queries,
  );
  const runs = questions.map(
    (question, index) => new QuestionRun(question, run, former?.states[index] ?? newState()),
  );
  const affected = affectedQuestions(snapshot, after, request.scope);
  const undetermined = undeterminedOf(affected, request.inputs ?? {}, project.composite);
  await requested.run(run.isOver, options.signal);
  // Every one of them is decided, whatever the budget.
  const decide = decideOnce(parts.decide, () => ({ ...options, timeoutMs: longestStatementMs }));
  const explicit = request.questions && (await answerQuestions(run, decide, request.questions));
  const report = (): Simulation => ({
    complete:
      runs.every(({ isComplete }) => isComplete) && requested.isComplete && explicit?.complete !== false,
    milliseconds: elapsed(since),
    ...hitsOf(runs),
    questions: runs.map((each) => each.report()),
    undetermined,
    ...(explicit && { answers: explicit.answers }),
    ...requested.report(),
  });
  for await (const _ of pages(runs, endsAt, options.signal)) yield report();
  const isFinished = runs.every((each) => each.isFinished) && requested.isFinished;
  const progress = { states: runs.map(({ state }) => state), queries: requested.progress };
  yield { ...report(), ...(!isFinished && { next: parts.tokens.issue(progress, request, questions) }) };
}

export const openSimulate =
  (parts: SimulateParts): Simulate =>
  async (snapshot, request, options) => {
    const prepared = await prepare(parts, snapshot, request, options);
    return () => simulation(parts, prepared);
  };
