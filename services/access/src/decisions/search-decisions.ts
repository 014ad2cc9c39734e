import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { Problem } from "@ikg/contracts";
import { type StatementOptions, isStatementTimeout } from "@ikg/graph";
import { compareText } from "@ikg/policy-core";
import type { DecisionEnd } from "@ikg/policy-core/statements";
import type { Question } from "./candidates.ts";
import type { Decide, Evaluation } from "./decide.ts";
import type { Find } from "./seek.ts";

/** Searches decide on single ids where no statement finds them. */
export interface DecisionSearch {
  readonly decide: Decide;
  readonly snapshot: ProjectSnapshot;
  readonly question: Question;
  readonly sought: DecisionEnd;
  readonly options: StatementOptions;
}

/** The question about one id of the end that is sought. */
const evaluationOf = ({ question, sought }: DecisionSearch, id: string): Evaluation => ({
  ...question,
  subject: { id: "", ...question.subject, ...(sought === "subject" ? { id } : {}) },
  resource: { id: "", ...question.resource, ...(sought === "resource" ? { id } : {}) },
});

const isGranted = async (
  search: DecisionSearch,
  id: string,
  candidates: readonly StoredKbacPolicy[],
  timeoutMs: number,
): Promise<boolean> => {
  const snapshot: ProjectSnapshot = { ...search.snapshot, kbacCandidates: () => candidates };
  const options = { ...search.options, statementClass: "query" as const, timeoutMs };
  return (await search.decide(snapshot, evaluationOf(search, id), options)).decision;
};

/**
 * Decides on one id.
 *
 * @param onFault called with the Problem of an id that cannot be evaluated; it is not granted then.
 * @returns whether it is granted, or the Problem of a decision that took too long
 */
const decideOne = async (
  search: DecisionSearch,
  id: string,
  candidates: readonly StoredKbacPolicy[],
  timeoutMs: number,
  onFault: (problem: unknown) => void,
): Promise<boolean | Problem> => {
  try {
    return await isGranted(search, id, candidates, timeoutMs);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (isStatementTimeout(error)) return error;
    if (error.status !== 422) throw error;
    onFault(error);
    return false;
  }
};

/**
 * Finds one id, or nothing; it is decided once.
 *
 * @param onFault as of `decideEach`.
 */
export const findOne = (
  search: DecisionSearch,
  id: string,
  candidates: readonly StoredKbacPolicy[],
  onFault: (problem: unknown) => void,
): Find => {
  let decided: Promise<boolean | Problem> | undefined;
  return async (after, limit) => {
    if (limit === 0 || compareText(id, after) <= 0) return { ids: [] };
    decided ??= decideOne(search, id, candidates, search.options.timeoutMs, onFault);
    const decision = await decided;
    if (decision instanceof Problem) throw decision;
    return { ids: decision ? [id] : [] };
  };
};

/**
 * Decides on each of several ids.
 *
 * @param onFault called with the Problem of an id that cannot be evaluated; it is not granted then.
 * @returns for each id whether it is granted, or the Problem of a decision that took too long
 */
export const decideEach = (
  search: DecisionSearch,
  ids: readonly string[],
  candidates: readonly StoredKbacPolicy[],
  timeoutMs: number,
  onFault: (problem: unknown) => void,
): Promise<readonly (boolean | Problem)[]> =>
  Promise.all(ids.map((id) => decideOne(search, id, candidates, Math.max(1, timeoutMs), onFault)));
