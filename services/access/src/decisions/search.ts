import type { CatalogProject, ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { type PageRequest, Problem, type SearchResults } from "@ikg/contracts";
import { DataFault, type Graph, type StatementOptions } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import { bindRow, compareText, type Inputs } from "@ikg/policy-core";
import {
  compositeSearchStatement,
  type DecisionOptions,
  type End,
  searchStatement,
} from "@ikg/policy-core/statements";
import { answered, refusedValues } from "./answered.ts";
import { inputsOf, type Question, tagged, prefilter } from "./candidates.ts";
import type { Decide, Evaluation } from "./decide.ts";
import { mergeAscending } from "./merge.ts";
import { pageOf } from "./paging.ts";
import type { PageTokens } from "./page-token.ts";
import type { Place } from "./place.ts";
import { type Find, type Found, seekAfter } from "./seek.ts";
import { everyId, findInSlices, tookTooLong } from "./slices.ts";
import { requireOwnSubject } from "./subject-match.ts";
import { assertAllEvaluated } from "./assert-evaluated.ts";

export type Search = (
  view: ProjectSnapshot,
  question: Question,
  page: PageRequest | null | undefined,
  options: StatementOptions,
) => Promise<SearchResults>;

export interface SearchParts {
  readonly graph: Graph;
  readonly tokens: PageTokens;
  /** Decides on one subject, where no other can be found. */
  readonly decide: Decide;
  readonly switches?: DecisionOptions;
}

const scattered =
  "policy: what is sought stands in several databases, so that it can be evaluated and not searched";

const scopeOf = (
  project: CatalogProject,
  sought: End,
  { subject, resource, action, context, token }: Question,
): unknown => {
  const named = { subject, resource, [sought]: { ...(sought === "subject" ? subject : resource), id: null } };
  return [project.id, sought, token?.subject ?? null, named, action, context ?? null];
};

/** The key of the end that is known, under the name that the statement has for it. */
const pinOf = (project: CatalogProject, sought: End, { subject, resource }: Question) =>
  sought === "resource"
    ? { s: nodeKey(project.pk, subject.type, subject.id ?? "") }
    : { r: nodeKey(project.pk, resource.type, resource.id ?? "") };

/** One that is found or not. */
const findOne = (id: string, isGranted: () => Promise<boolean>): Find => {
  let granted: Promise<boolean> | undefined;
  return async (after, limit) =>
    limit > 0 && compareText(id, after) > 0 && (await (granted ??= isGranted()))
      ? { ids: [id] }
      : { ids: [] };
};

/** Shares of the time of a search: for one statement, and until slices stop. */
const wholeShare = 0.5;
const sliceShare = 0.9;
/** The gateway waits longer than a search lasts; a page that found no time at all may use some of that. */
const firstShare = 0.4;

/**
 * Finds the resources on which a subject may do an action, or the subjects that may do it on a resource (AuthZEN 1.0,
 * sections 8.4 and 8.5): distinct, ascending, each of them granted by the same policies, filters and token rules as an
 * evaluation. A `3.0-kbac` policy finds, where a bearer came, no subject but the bearer's own.
 *
 * @param sought the end whose id is ignored.
 * @throws as `decide`, and as `pageOf`.
 */
export const openSearch = ({ graph, tokens, decide, switches = {} }: SearchParts, sought: End): Search => {
  const texts = new WeakMap<StoredKbacPolicy, string>();
  /** @throws Problem "unprocessable" (422) for a text that cannot be searched over several databases. */
  const textOf = (candidate: StoredKbacPolicy, { pk }: CatalogProject, place: Place | undefined): string => {
    if (place?.part === "composite") {
      const text = compositeSearchStatement(candidate.policy, pk, sought, switches);
      if (text === undefined) throw new Problem("unprocessable", { errors: [scattered] });
      return text;
    }
    const known = texts.get(candidate) ?? searchStatement(candidate.policy, pk, sought, switches);
    texts.set(candidate, known);
    return known;
  };

  // Statements of decisions are kept by their list, so each candidate has one of its own.
  const lists = new WeakMap<StoredKbacPolicy, readonly StoredKbacPolicy[]>();
  const listOf = (candidate: StoredKbacPolicy): readonly StoredKbacPolicy[] => {
    const list = lists.get(candidate) ?? [candidate];
    lists.set(candidate, list);
    return list;
  };

  /** Values that a candidate cannot be evaluated with: it finds nothing, and that is said when none does. */
  const finderOf = (
    candidate: StoredKbacPolicy,
    project: CatalogProject,
    place: Place | undefined,
    pin: object,
    inputs: Inputs,
    options: StatementOptions,
    onFault: (fault: unknown) => void,
  ): Find => {
    const values = bindRow(candidate.policy.condition.analysis.report.needs, inputs);
    const text = textOf(candidate, project, place);
    const database = graph.of(project, place?.part, "query");
    const seek: Find = async (after, limit) => {
      const row = { ...pin, after, limit, ...values, ...(place && { g: place.graphs }) };
      try {
        const rows = await answered(database.read(text, { __row: row }, options));
        return { ids: rows.map((each) => String(each["id"])) };
      } catch (error) {
        if (!(error instanceof DataFault)) throw error;
        onFault(refusedValues(error));
        return { ids: [] };
      }
    };
    return (after, limit) => seekAfter(seek, after, limit);
  };

  return async (view, question, page, options) => {
    const started = performance.now();
    const { project } = view;
    const { subject, resource, action, token } = question;
    const candidates = tagged(view.kbacCandidates(subject.type, action.name, resource.type), question);
    requireOwnSubject(candidates, question);
    const inputs = inputsOf(question);
    const weighed = prefilter(candidates, inputs, project.composite);
    const { type } = sought === "subject" ? subject : resource;
    let fault: unknown;
    const onFault = (each: unknown): void => void (fault = each);

    const isOwnOnly = (candidate: StoredKbacPolicy): boolean =>
      sought === "subject" && token !== undefined && candidate.policy.version === "3.0-kbac";
    const [own, others] = [true, false].map((is) =>
      weighed.participants.filter((candidate) => isOwnOnly(candidate) === is),
    ) as [StoredKbacPolicy[], StoredKbacPolicy[]]; // one list for each
    const evaluationOf = (id: string): Evaluation => ({
      ...question,
      subject: { id: "", ...subject, ...(sought === "subject" ? { id } : {}) },
      resource: { id: "", ...resource, ...(sought === "resource" ? { id } : {}) },
    });

    const ownFinders = own.map((candidate) => {
      const id = token?.subject ?? "";
      const alone: ProjectSnapshot = { ...view, kbacCandidates: () => listOf(candidate) };
      return findOne(
        id,
        async () => (await decide(alone, evaluationOf(id), { ...options, statementClass: "query" })).decision,
      );
    });
    const whole = { ...options, timeoutMs: options.timeoutMs * wholeShare };
    const finders = others.map((candidate) =>
      finderOf(
        candidate,
        project,
        weighed.places.get(candidate),
        pinOf(project, sought, question),
        inputs,
        whole,
        onFault,
      ),
    );

    const sliceView: ProjectSnapshot = { ...view, kbacCandidates: () => others };
    const slices = {
      all: everyId(graph, project, type, options),
      granted: (ids: readonly string[], timeoutMs: number) =>
        Promise.all(
          ids.map(async (id) => {
            try {
              const limits = {
                ...options,
                statementClass: "query" as const,
                timeoutMs: Math.max(1, timeoutMs),
              };
              return (await decide(sliceView, evaluationOf(id), limits)).decision;
            } catch (error) {
              if (tookTooLong(error)) return error;
              if (!(error instanceof Problem) || error.status !== 422) throw error;
              onFault(error);
              return false;
            }
          }),
        ),
      deadline: started + options.timeoutMs * sliceShare,
      leastMs: options.timeoutMs * firstShare,
    };
    const findOthers = async (after: string, limit: number, sliced: boolean): Promise<readonly Found[]> => {
      try {
        if (!sliced) return await Promise.all(finders.map((each) => each(after, limit)));
      } catch (error) {
        // What is elsewhere is not among the keys of the default database.
        if (!tookTooLong(error) || weighed.places.size > 0) throw error;
      }
      return [await findInSlices(slices, after, limit)];
    };

    const { found, complete, ...rest } = await pageOf(page, {
      find: async (after, limit, sliced) =>
        mergeAscending(
          [
            ...(others.length === 0 ? [] : await findOthers(after, limit, sliced)),
            ...(await Promise.all(ownFinders.map((each) => each(after, limit)))),
          ],
          limit,
        ),
      tokens,
      scope: scopeOf(project, sought, question),
      explainNothing: () => {
        if (fault !== undefined) throw fault;
        assertAllEvaluated(weighed);
      },
    });
    const results = found.map((id) => ({ type, id }));
    return { ...rest, results, ...(complete ? {} : { context: { complete: false } }) };
  };
};
