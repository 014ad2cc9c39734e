import type { CatalogProject, ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { maxSearchPage, type PageRequest, Problem, type SearchResults } from "@ikg/contracts";
import { DataFault, type Graph, type StatementOptions } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import { bindValues } from "@ikg/policy-core";
import { type DecisionOptions, searchStatement } from "@ikg/policy-core/statements";
import { answered, refusedValues } from "./answered.ts";
import { inputsOf, type Question, tagged, weigh } from "./candidates.ts";
import { mergeAscending } from "./merge.ts";
import { type Find, seekAfter } from "./seek.ts";
import type { PageTokens } from "./page-token.ts";
import { requireOwnSubject } from "./subject-match.ts";
import { requireAllAsked } from "./unasked.ts";

export type SearchResource = (
  view: ProjectSnapshot,
  question: Question,
  page: PageRequest | null | undefined,
  options: StatementOptions,
) => Promise<SearchResults>;

const countAll = async (find: Find): Promise<number> => {
  let total = 0;
  for (let after = ""; ;) {
    const ids = await find(after, maxSearchPage);
    total += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < maxSearchPage) return total;
    after = last;
  }
};

/** What a page token is bound to: a token of another search, project or person is refused. */
const scopeOf = (
  project: CatalogProject,
  { subject, resource, action, context, token }: Question,
): unknown => [
  project.id,
  token?.subject ?? null,
  subject,
  { type: resource.type, properties: resource.properties ?? null },
  action,
  context ?? null,
];

/**
 * Finds the resources of a type on which the subject may do the action (AuthZEN 1.0, section 8.5): distinct,
 * ascending, each of them granted by the same policies, filters and token rules as an evaluation.
 *
 * @throws as `decide`, and "invalid_request" (400) for a page token that is not of this search.
 */
export const openSearchResource = (
  graph: Graph,
  tokens: PageTokens,
  switches: DecisionOptions = {},
): SearchResource => {
  const texts = new WeakMap<StoredKbacPolicy, string>();
  const textOf = (candidate: StoredKbacPolicy, project: CatalogProject): string => {
    const known = texts.get(candidate);
    if (known !== undefined) return known;
    const made = searchStatement(candidate.policy, project.pk, "resource", switches);
    texts.set(candidate, made);
    return made;
  };

  return async (view, question, page, options) => {
    const { project } = view;
    const { subject, resource, action } = question;
    const candidates = tagged(view.kbacCandidates(subject.type, action.name, resource.type), question);
    requireOwnSubject(candidates, question);
    const inputs = inputsOf(question);
    const weighed = weigh(candidates, inputs);
    const s = nodeKey(project.pk, subject.type, subject.id);
    const database = graph.of(project);

    /** Values that a candidate cannot be evaluated with: it finds nothing, and that is said when none does. */
    let fault: unknown;

    const findBy = (candidate: StoredKbacPolicy): Find => {
      const values = bindValues(candidate.policy.condition.analysis.report.needs, inputs);
      const seek: Find = async (after, limit) => {
        const row = { s, after, limit, ...values };
        try {
          const rows = await answered(database.read(textOf(candidate, project), { __row: row }, options));
          return rows.map((each) => String(each["id"]));
        } catch (error) {
          if (!(error instanceof DataFault)) throw error;
          fault = refusedValues(error);
          return [];
        }
      };
      return (after, limit) => seekAfter(seek, after, limit);
    };
    const finders = weighed.participants.map(findBy);
    const find: Find = async (after, limit) =>
      mergeAscending(await Promise.all(finders.map((each) => each(after, limit))), limit);
    /** Nothing found: because nothing is granted, or because a candidate could not be asked? */
    const explainNothing = (): void => {
      if (fault !== undefined) throw fault;
      requireAllAsked(weighed);
    };

    const scope = scopeOf(project, question);
    const from = page?.token ? tokens.read(page.token, scope) : undefined;
    const limit = Math.min(page?.limit ?? from?.limit ?? maxSearchPage, maxSearchPage);
    if (limit === 0) {
      const total = await countAll(find);
      if (total === 0) explainNothing();
      const next = total === 0 ? "" : tokens.issue({ after: "", limit: maxSearchPage }, scope);
      return { page: { next_token: next, count: 0, total }, results: [] };
    }
    if (from !== undefined && from.limit !== limit) {
      throw new Problem("invalid_request", { errors: ["page.limit: differs from the limit of the token"] });
    }
    const found = await find(from?.after ?? "", limit + 1);
    if (found.length === 0) explainNothing();
    const ids = found.slice(0, limit);
    const last = found.length > limit ? ids.at(-1) : undefined;
    const results = ids.map((id) => ({ type: resource.type, id }));
    if (last === undefined && !page) return { results };
    const next = last === undefined ? "" : tokens.issue({ after: last, limit }, scope);
    return { page: { next_token: next, count: ids.length }, results };
  };
};
