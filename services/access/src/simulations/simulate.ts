import type { ProjectSnapshot } from "@ikg/catalog";
import type { Simulation, SimulationRequest } from "@ikg/contracts";
import type { Graph, StatementOptions } from "@ikg/graph";
import type { Budget } from "@ikg/policy-core";
import type { DecisionOptions } from "@ikg/policy-core/statements";
import type { Decide } from "../decisions/decide.ts";
import { type AfterChanges, afterChanges } from "./after-changes.ts";
import { answerQuestions } from "./explicit-questions.ts";
import { pauseAfter } from "./pause-after.ts";
import type { ProgressTokens } from "./progress-tokens.ts";
import { newState, QuestionRun, type RunParts } from "./question-run.ts";
import { affectedQuestions } from "./questions.ts";
import { decideOnce } from "./try-pairs.ts";
import { undeterminedOf } from "./undetermined.ts";

const defaults = { budgetMs: 5_000, examples: 20, seed: 1 };
/** A statement may take so long at most, in milliseconds; pages are smaller by far. */
const longestStatementMs = 20_000;

export interface SimulateParts {
  readonly graph: Graph;
  readonly decide: Decide;
  readonly switches: DecisionOptions;
  readonly budget: Budget;
  readonly tokens: ProgressTokens;
}

/** Who asks, and for how long. */
export type SimulateOptions = Pick<StatementOptions, "signal" | "requestId">;

/** A simulation that may run: what it was asked is valid. */
export type Run = () => AsyncGenerator<Simulation>;

/**
 * Prepares a simulation: whose access changes that are not made would give or take (docs/authoring.md). Nothing is written.
 *
 * @returns what runs it: each value says more than the one before, the last one is the answer.
 * @throws Problem "unprocessable" (422) for texts that cannot be saved, "conflict" (409) for another version.
 */
export type Simulate = (view: ProjectSnapshot, request: SimulationRequest, options: SimulateOptions) => Run;

const runParts = (
  { graph, decide, switches }: SimulateParts,
  view: ProjectSnapshot,
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
    views: { before: view, after: after.view },
    changed: new Set(changed.filter((each) => each !== undefined)),
    database: graph.of(view.project, undefined, "background"),
    decide: decideOnce(decide, { ...options, timeoutMs: longestStatementMs }),
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

export const openSimulate =
  (parts: SimulateParts): Simulate =>
  (view, request, options) => {
    const after = afterChanges(view, request.changes, parts.budget);
    const questions = affectedQuestions(view, after, request.scope);
    const former = parts.tokens.read(request, questions);
    const undetermined = undeterminedOf(questions, request.inputs ?? {}, view.project.composite);
    return async function* () {
      const since = performance.now();
      const endsAt = since + (request.budget_ms ?? defaults.budgetMs);
      const run = runParts(parts, view, after, request, options, endsAt);
      if (request.questions !== undefined) {
        const answers = await answerQuestions(run, request.questions);
        yield { complete: true, milliseconds: elapsed(since), questions: [], undetermined, answers };
        return;
      }
      const runs = questions.map(
        (question, index) => new QuestionRun(question, run, former?.[index] ?? newState()),
      );
      const report = (): Simulation => ({
        complete: runs.every(({ isComplete }) => isComplete),
        milliseconds: elapsed(since),
        questions: runs.map((each) => each.report()),
        undetermined,
      });
      for await (const _ of pages(runs, endsAt, options.signal)) yield report();
      const isFinished = runs.every((each) => each.isFinished);
      const next = isFinished
        ? {}
        : {
            next: parts.tokens.issue(
              runs.map(({ state }) => state),
              request,
              questions,
            ),
          };
      yield { ...report(), ...next };
    };
  };

const elapsed = (since: number): number => Math.round(performance.now() - since);
