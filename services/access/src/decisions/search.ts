import type { CatalogProject, ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { PageRequest, SearchResults } from "@ikg/contracts";
import { type Graph, type StatementOptions, isStatementTimeout } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import { type DecisionSwitches, type DecisionEnd, requestKeys } from "@ikg/policy-core/statements";
import { requireEvaluated } from "./require-evaluated.ts";
import {
  candidatesOf,
  inputsOf,
  prefilter,
  type Prefiltered,
  type Question,
  selectTagged,
} from "./candidates.ts";
import type { Decide } from "./decide.ts";
import { memoizeByIdentity } from "./memoize-by-identity.ts";
import { pageOf } from "./paging.ts";
import type { PageTokens } from "./page-token.ts";
import { decideEach, findOne } from "./search-decisions.ts";
import { findByStatement, type SearchText, searchTexts } from "./search-statements.ts";
import { type Find, type IdRange, mergeAscending } from "./seek.ts";
import { everyId, findInSlices, type SliceSearch } from "./slices.ts";
import { requireOwnSubject } from "./subject-match.ts";

export type Search = (
  snapshot: ProjectSnapshot,
  question: Question,
  page: PageRequest | null | undefined,
  options: StatementOptions,
) => Promise<SearchResults>;

export interface SearchParts {
  readonly graph: Graph;
  readonly tokens: PageTokens;
  /** Decides on one id, where no statement finds it. */
  readonly decide: Decide;
  readonly switches?: DecisionSwitches;
}

/** Shares of the time of a search: for one statement, and until slices and counts stop. */
const statementShare = 0.5;
const sliceShare = 0.9;
/** The gateway waits longer than a search lasts; a page that found no time at all may use some of that. */
const firstShare = 0.4;

/** What a page token is bound to. */
const scopeOf = (
  project: CatalogProject,
  sought: DecisionEnd,
  { subject, resource, action, context, token }: Question,
): unknown => {
  const ends = { subject, resource, [sought]: { ...(sought === "subject" ? subject : resource), id: null } };
  return [project.id, sought, token?.subject ?? null, ends, action, context ?? null];
};

/** The key of the end that is known, under the name that the statement has for it. */
const knownEnd = (project: CatalogProject, sought: DecisionEnd, { subject, resource }: Question) =>
  sought === "resource"
    ? { [requestKeys.subject]: nodeKey(project.pk, subject.type, subject.id ?? "") }
    : { [requestKeys.resource]: nodeKey(project.pk, resource.type, resource.id ?? "") };

/** One search: the question, its prefiltered candidates, and what it runs with. */
interface SearchRun {
  readonly graph: Graph;
  readonly decide: Decide;
  readonly sought: DecisionEnd;
  readonly snapshot: ProjectSnapshot;
  readonly question: Question;
  readonly options: StatementOptions;
  /** As `performance.now()` tells. */
  readonly started: number;
  readonly prefiltered: Prefiltered;
  readonly onFault: (problem: unknown) => void;
}

/** When slices stop, and so does a count. */
const deadlineOf = ({ started, options }: Pick<SearchRun, "started" | "options">): number =>
  started + options.timeoutMs * sliceShare;

/** True for a candidate that grants the bearer's own subject at most. */
const grantsBearerOnly = ({ sought, question }: SearchRun, { policy }: StoredKbacPolicy): boolean =>
  sought === "subject" && question.token !== undefined && policy.version === "3.0-kbac";

/** Decides on the bearer's own subject, for each candidate by itself. */
const ownSubjectFinds = (run: SearchRun, listOf: (candidate: StoredKbacPolicy) => Candidates): Find[] =>
  run.prefiltered.participants
    .filter((candidate) => grantsBearerOnly(run, candidate))
    .map((candidate) => findOne(run, run.question.token?.subject ?? "", listOf(candidate), run.onFault));

type Candidates = readonly StoredKbacPolicy[];

/** One statement for each candidate, in half of the time. */
const statementFinds = (run: SearchRun, candidates: Candidates, textOf: SearchText): Find[] => {
  const { graph, question, sought, prefiltered, onFault, snapshot } = run;
  const { project } = snapshot;
  const options = { ...run.options, timeoutMs: run.options.timeoutMs * statementShare };
  const shared = { graph, project, inputs: inputsOf(question), options, onFault };
  return candidates.map((candidate) => {
    const target = prefiltered.databaseTargets.get(candidate);
    const text = textOf(candidate, project, target);
    return findByStatement(candidate, {
      ...shared,
      text,
      target,
      knownEnd: knownEnd(project, sought, question),
    });
  });
};

/** Decisions on every id of the type, a slice at a time, for what the statements do not finish. */
const slicesOf = (run: SearchRun, candidates: Candidates): SliceSearch => {
  const { graph, snapshot, question, sought, options } = run;
  return {
    all: everyId(graph, snapshot.project, question[sought].type, options),
    granted: (ids, timeoutMs) => decideEach(run, ids, candidates, timeoutMs, run.onFault),
    deadline: deadlineOf(run),
    leastMs: options.timeoutMs * firstShare,
  };
};

type FindSliced = (after: string, limit: number, sliced: boolean) => Promise<IdRange>;

/** Finds by statements, and in slices once these take too long. */
const statementsOrSlices = (run: SearchRun, candidates: Candidates, textOf: SearchText) => {
  const finds = statementFinds(run, candidates, textOf);
  const slices = slicesOf(run, candidates);
  // Slices have the keys of the default database alone. A policy with `USE` may have become ACTIVE since a page that was sliced.
  const canSlice = !candidates.some((candidate) => run.prefiltered.databaseTargets.has(candidate));
  return async (after: string, limit: number, sliced: boolean): Promise<readonly IdRange[]> => {
    if (candidates.length === 0) return [];
    try {
      if (!sliced || !canSlice) return await Promise.all(finds.map((find) => find(after, limit)));
    } catch (error) {
      if (!isStatementTimeout(error) || !canSlice) throw error;
    }
    return [await findInSlices(slices, after, limit)];
  };
};

/** Merges what the candidates find, each in its own way. */
const findAll = (
  run: SearchRun,
  textOf: SearchText,
  listOf: (candidate: StoredKbacPolicy) => Candidates,
): FindSliced => {
  const ownFinds = ownSubjectFinds(run, listOf);
  const searched = run.prefiltered.participants.filter((candidate) => !grantsBearerOnly(run, candidate));
  const findSearched = statementsOrSlices(run, searched, textOf);
  return async (after, limit, sliced) => {
    // Together: one after the other, they could take longer than the gateway waits.
    const [found, own] = await Promise.all([
      findSearched(after, limit, sliced),
      Promise.all(ownFinds.map((find) => find(after, limit))),
    ]);
    return mergeAscending([...found, ...own], limit);
  };
};

/** Statements of decisions are cached by their list of candidates, so each candidate gets one list of its own. */
const singleLists = (): ((candidate: StoredKbacPolicy) => Candidates) =>
  memoizeByIdentity((candidate) => [candidate]);

/**
 * Finds the resources on which a subject may do an action, or the subjects that may do it on a resource (AuthZEN 1.0,
 * sections 8.4 and 8.5): distinct, ascending, each of them granted by the same policies, filters and token rules as an
 * evaluation. A `3.0-kbac` policy finds, where a bearer came, no subject but the bearer's own.
 *
 * @param sought the end whose id is ignored.
 * @throws as `decide`, and as `pageOf`.
 */
export const openSearch = (
  { graph, tokens, decide, switches = {} }: SearchParts,
  sought: DecisionEnd,
): Search => {
  const textOf = searchTexts(sought, switches);
  const listOf = singleLists();

  return async (snapshot, question, page, options) => {
    const started = performance.now();
    const candidates = selectTagged(candidatesOf(snapshot, question), question);
    requireOwnSubject(candidates, question);
    const prefiltered = prefilter(candidates, inputsOf(question), snapshot.project.composite);
    let fault: unknown;
    const onFault = (problem: unknown): void => void (fault = problem);
    const run = { graph, decide, sought, snapshot, question, options, started, prefiltered, onFault };

    const { found, complete, ...rest } = await pageOf(page, {
      find: findAll(run, textOf, listOf),
      tokens,
      scope: scopeOf(snapshot.project, sought, question),
      explainNothing: () => {
        if (fault !== undefined) throw fault;
        requireEvaluated(prefiltered);
      },
      deadline: deadlineOf(run),
    });
    const { type } = question[sought];
    const results = found.map((id) => ({ type, id }));
    return { ...rest, results, ...(complete ? {} : { context: { complete: false } }) };
  };
};
