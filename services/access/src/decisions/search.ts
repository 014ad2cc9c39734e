import type { CatalogProject, ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { PageRequest, SearchResults } from "@ikg/contracts";
import { type Database, DataFault, type Graph, type StatementOptions } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import { bindValues, compareText, type Inputs } from "@ikg/policy-core";
import { type DecisionOptions, type End, searchStatement } from "@ikg/policy-core/statements";
import { answered, refusedValues } from "./answered.ts";
import { inputsOf, type Question, tagged, weigh } from "./candidates.ts";
import type { Decide } from "./decide.ts";
import { mergeAscending } from "./merge.ts";
import { pageOf } from "./paging.ts";
import type { PageTokens } from "./page-token.ts";
import { type Find, seekAfter } from "./seek.ts";
import { requireOwnSubject } from "./subject-match.ts";
import { requireAllAsked } from "./unasked.ts";

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
    limit > 0 && compareText(id, after) > 0 && (await (granted ??= isGranted())) ? [id] : [];
};

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
  const textOf = (candidate: StoredKbacPolicy, project: CatalogProject): string => {
    const known = texts.get(candidate);
    if (known !== undefined) return known;
    const made = searchStatement(candidate.policy, project.pk, sought, switches);
    texts.set(candidate, made);
    return made;
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
    { project }: ProjectSnapshot,
    database: Database,
    pin: object,
    inputs: Inputs,
    options: StatementOptions,
    onFault: (fault: unknown) => void,
  ): Find => {
    const values = bindValues(candidate.policy.condition.analysis.report.needs, inputs);
    const seek: Find = async (after, limit) => {
      const row = { ...pin, after, limit, ...values };
      try {
        const rows = await answered(database.read(textOf(candidate, project), { __row: row }, options));
        return rows.map((each) => String(each["id"]));
      } catch (error) {
        if (!(error instanceof DataFault)) throw error;
        onFault(refusedValues(error));
        return [];
      }
    };
    return (after, limit) => seekAfter(seek, after, limit);
  };

  return async (view, question, page, options) => {
    const { project } = view;
    const { subject, resource, action, token } = question;
    const candidates = tagged(view.kbacCandidates(subject.type, action.name, resource.type), question);
    requireOwnSubject(candidates, question);
    const inputs = inputsOf(question);
    const weighed = weigh(candidates, inputs);
    const database = graph.of(project);
    let fault: unknown;

    const ownOnly = (candidate: StoredKbacPolicy): boolean =>
      sought === "subject" && token !== undefined && candidate.policy.version === "3.0-kbac";
    const finders = weighed.participants.map((candidate): Find => {
      if (!ownOnly(candidate))
        return finderOf(
          candidate,
          view,
          database,
          pinOf(project, sought, question),
          inputs,
          options,
          (each) => (fault = each),
        );
      const id = token?.subject ?? "";
      const alone: ProjectSnapshot = { ...view, kbacCandidates: () => listOf(candidate) };
      const evaluation = { ...question, subject: { ...subject, id }, resource: { id: "", ...resource } };
      return findOne(id, async () => (await decide(alone, evaluation, options)).decision);
    });
    const find: Find = async (after, limit) =>
      mergeAscending(await Promise.all(finders.map((each) => each(after, limit))), limit);

    const { found, ...rest } = await pageOf(page, {
      find,
      tokens,
      scope: scopeOf(project, sought, question),
      explainNothing: () => {
        if (fault !== undefined) throw fault;
        requireAllAsked(weighed);
      },
    });
    const { type } = sought === "subject" ? subject : resource;
    return { ...rest, results: found.map((id) => ({ type, id })) };
  };
};
