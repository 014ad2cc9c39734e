import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { Problem, type SimulationInputs } from "@ikg/contracts";
import { type StatementOptions, StatementTimeout, isStatementTimeout } from "@ikg/graph";
import { behindPrefix, keyField, keyPrefix, seekNodes } from "@ikg/physical";
import type { Decide, Evaluation } from "../decisions/decide.ts";
import { type GraphSource, inSource, sourceParameters, unknownTo } from "./graph-sources.ts";
import { evaluationOf } from "./inputs.ts";
import type { AffectedQuestion } from "./questions.ts";

/** Pairs that are decided at one time. */
const pairsAtOnce = 256;
/** Resources whose ids are read at one time. */
const resourcesAtOnce = 20_000;

/** What one decision says: whether it grants, and by which policy. */
export interface Outcome {
  readonly granted: boolean;
  readonly by: string | undefined;
}

/** @returns undefined when the time of a statement was not enough. */
export type DecideOnce = (snapshot: ProjectSnapshot, evaluation: Evaluation) => Promise<Outcome | undefined>;

/**
 * Decides one question as `/access/v1/evaluation` would, in the background. A call that is refused for its values or its token
 * grants nothing.
 *
 * @throws Problem of a status of 500 and above: what could not be asked is not known.
 */
export const decideOnce =
  (decide: Decide, options: () => StatementOptions): DecideOnce =>
  async (snapshot, evaluation) => {
    let by: StoredKbacPolicy | undefined;
    try {
      const { decision } = await decide(snapshot, evaluation, {
        ...options(),
        statementClass: "background",
        onGrant: (policy) => (by = policy),
      });
      return { granted: decision, by: by?.name };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (isStatementTimeout(error)) return undefined;
      if (error.status < 500 && error.status !== 429) return { granted: false, by: undefined };
      throw error;
    }
  };

/** One pair whose decision differs, with the policy that grants it on one side. */
export interface DifferingPair {
  readonly resource: string;
  readonly by: string;
}

/** What trying every resource of one subject found. */
export interface TriedSubject {
  readonly gained: readonly DifferingPair[];
  readonly lost: readonly DifferingPair[];
  readonly granted: { readonly before: number; readonly after: number };
}

export interface PairTrial {
  readonly question: AffectedQuestion;
  readonly inputs: SimulationInputs;
  readonly snapshots: { readonly before: ProjectSnapshot; readonly after: ProjectSnapshot };
  readonly sources: readonly GraphSource[];
  readonly decide: DecideOnce;
  readonly options: () => StatementOptions;
  /** The time of the simulation is over. */
  readonly isOver: () => boolean;
}

const resourcesText = [
  seekNodes,
  `WHERE n.${keyField} > $after AND n.${keyField} < $before`,
  `WITH n.${keyField} AS key ORDER BY key LIMIT $limit RETURN collect(key) AS keys`,
].join(" ");

/** Keys of every node of a type in one part of the graph, slice by slice. */
async function* keysIn(
  source: GraphSource,
  prefix: string,
  options: () => StatementOptions,
): AsyncGenerator<readonly string[]> {
  const text = inSource(source, resourcesText);
  const before = behindPrefix(prefix);
  for (let after = prefix; ;) {
    const parameters = { after, before, limit: resourcesAtOnce, ...sourceParameters(source) };
    const [row] = await source.database.read(text, parameters, options());
    const keys = (row?.["keys"] ?? []) as readonly string[]; // collected above
    if (keys.length > 0) yield keys;
    if (keys.length < resourcesAtOnce) return;
    after = keys.at(-1) ?? after;
  }
}

/** Ids of every node of a type, slice by slice; one that several parts of the graph have comes once. */
async function* resourceIds(
  sources: readonly GraphSource[],
  prefix: string,
  options: () => StatementOptions,
): AsyncGenerator<readonly string[]> {
  for (const [index, source] of sources.entries())
    for await (const keys of keysIn(source, prefix, options))
      yield (await unknownTo(sources.slice(0, index), keys, options)).map((key) => key.slice(prefix.length));
}

/** A pair of a subject was not decided within the timeout of its statement. */
class PairTimeoutError extends Error {
  override readonly name = "PairTimeoutError";
}

/** @returns the outcome. @throws PairTimeoutError */
const requireOutcome = (outcome: Outcome | undefined): Outcome => {
  if (outcome === undefined) throw new PairTimeoutError();
  return outcome;
};

/**
 * Decides every pair of one subject before and after: for policies whose pairs cannot be found in pages.
 *
 * @returns "over" when the time of the simulation was over before the last pair, "undecided" when a statement about one of
 *   them did not end in its time.
 */
export const trySubject = async (
  trial: PairTrial,
  subject: string,
): Promise<TriedSubject | "over" | "undecided"> => {
  try {
    return (await tryResources(trial, subject)) ?? "over";
  } catch (error) {
    if (!(error instanceof PairTimeoutError || error instanceof StatementTimeout)) throw error;
    return trial.isOver() ? "over" : "undecided";
  }
};

/** @returns undefined when the time of the simulation was over. @throws PairTimeoutError */
const tryResources = async (trial: PairTrial, subject: string): Promise<TriedSubject | undefined> => {
  const { question, inputs, snapshots, sources, decide, options, isOver } = trial;
  const gained: DifferingPair[] = [];
  const lost: DifferingPair[] = [];
  const granted = { before: 0, after: 0 };
  const tryOne = async (resource: string): Promise<void> => {
    const evaluation = evaluationOf(question, inputs, subject, resource);
    const outcomes = await Promise.all([
      decide(snapshots.before, evaluation),
      decide(snapshots.after, evaluation),
    ]);
    const [before, after] = [requireOutcome(outcomes[0]), requireOutcome(outcomes[1])];
    if (before.granted) granted.before += 1;
    if (after.granted) granted.after += 1;
    if (after.granted && !before.granted) gained.push({ resource, by: after.by ?? "" });
    if (before.granted && !after.granted) lost.push({ resource, by: before.by ?? "" });
  };
  const prefix = keyPrefix(snapshots.before.project.pk, question.resourceType);
  for await (const ids of resourceIds(sources, prefix, options))
    for (let at = 0; at < ids.length; at += pairsAtOnce) {
      options().signal?.throwIfAborted();
      if (isOver()) return undefined;
      await Promise.all(ids.slice(at, at + pairsAtOnce).map(tryOne));
    }
  return { gained, lost, granted };
};
