import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { Problem, type SimulationInputs } from "@ikg/contracts";
import type { Database, StatementOptions } from "@ikg/graph";
import { keyField, keyPrefix, nodeLabel } from "@ikg/physical";
import type { Decide, Evaluation } from "../decisions/decide.ts";
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

export type DecideOnce = (view: ProjectSnapshot, evaluation: Evaluation) => Promise<Outcome>;

/**
 * Decides one question as `/access/v1/evaluation` would, in the background. A call that is refused for its values or its token
 * grants nothing.
 *
 * @throws Problem of a status of 500 and above: what could not be asked is not known.
 */
export const decideOnce =
  (decide: Decide, options: StatementOptions): DecideOnce =>
  async (view, evaluation) => {
    let by: StoredKbacPolicy | undefined;
    try {
      const { decision } = await decide(view, evaluation, {
        ...options,
        statementClass: "background",
        onGrant: (policy) => (by = policy),
      });
      return { granted: decision, by: by?.name };
    } catch (error) {
      if (error instanceof Problem && error.status < 500 && error.status !== 429)
        return { granted: false, by: undefined };
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
  readonly views: { readonly before: ProjectSnapshot; readonly after: ProjectSnapshot };
  readonly database: Database;
  readonly decide: DecideOnce;
  readonly options: StatementOptions;
  /** The time of the simulation is over. */
  readonly isOver: () => boolean;
}

const resourcesText = [
  `MATCH (n:${nodeLabel}) WHERE n.${keyField} STARTS WITH $prefix AND n.${keyField} > $after`,
  `WITH n.${keyField} AS key ORDER BY key LIMIT $limit RETURN collect(key) AS keys`,
].join(" ");

/** Ids of every node of a type, slice by slice. */
async function* resourceIds(
  database: Database,
  prefix: string,
  options: StatementOptions,
): AsyncGenerator<readonly string[]> {
  for (let after = ""; ;) {
    const [row] = await database.read(resourcesText, { prefix, after, limit: resourcesAtOnce }, options);
    const keys = (row?.["keys"] ?? []) as readonly string[]; // collected above
    if (keys.length > 0) yield keys.map((key) => key.slice(prefix.length));
    if (keys.length < resourcesAtOnce) return;
    after = keys.at(-1) ?? after;
  }
}

/**
 * Decides every pair of one subject before and after: for policies whose pairs cannot be found in pages.
 *
 * @returns undefined when the time was over before the last pair.
 */
export const trySubject = async (trial: PairTrial, subject: string): Promise<TriedSubject | undefined> => {
  const { question, inputs, views, database, decide, options, isOver } = trial;
  const gained: DifferingPair[] = [];
  const lost: DifferingPair[] = [];
  const granted = { before: 0, after: 0 };
  const tryOne = async (resource: string): Promise<void> => {
    const evaluation = evaluationOf(question, inputs, subject, resource);
    const [before, after] = await Promise.all([
      decide(views.before, evaluation),
      decide(views.after, evaluation),
    ]);
    if (before.granted) granted.before += 1;
    if (after.granted) granted.after += 1;
    if (after.granted && !before.granted) gained.push({ resource, by: after.by ?? "" });
    if (before.granted && !after.granted) lost.push({ resource, by: before.by ?? "" });
  };
  const prefix = keyPrefix(views.before.project.pk, question.resourceType);
  for await (const ids of resourceIds(database, prefix, options))
    for (let at = 0; at < ids.length; at += pairsAtOnce) {
      options.signal?.throwIfAborted();
      if (isOver()) return undefined;
      await Promise.all(ids.slice(at, at + pairsAtOnce).map(tryOne));
    }
  return { gained, lost, granted };
};
