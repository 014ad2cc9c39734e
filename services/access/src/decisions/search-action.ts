import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import { type ActionResults, type PageRequest, Problem } from "@ikg/contracts";
import type { StatementOptions } from "@ikg/graph";
import { compareText } from "@ikg/policy-core";
import type { Question } from "./candidates.ts";
import type { Decide, Evaluation } from "./decide.ts";
import type { Explain } from "./explain.ts";
import type { PageTokens } from "./page-token.ts";
import { pageOf } from "./paging.ts";

export type SearchAction = (
  snapshot: ProjectSnapshot,
  question: Omit<Evaluation, "action">,
  page: PageRequest | null | undefined,
  options: StatementOptions & { readonly explain?: boolean },
) => Promise<ActionResults>;

/** Distinct names of the actions of the policies for these types, ascending. */
const actionsOf = (
  snapshot: ProjectSnapshot,
  { subject, resource }: Pick<Question, "subject" | "resource">,
) => {
  const names = snapshot
    .kbacPolicies()
    .filter(({ policy }) => policy.subjectType === subject.type && policy.resourceType === resource.type)
    .flatMap(({ policy }) => policy.actions);
  return [...new Set(names)].toSorted(compareText);
};

/**
 * Finds the actions that the subject may do on the resource (AuthZEN 1.0, section 8.6): each is decided like an
 * evaluation. A policy without its parameters grants nothing, and is no error here.
 *
 * @throws Problem "subject_mismatch" (403), "unavailable" (503), and as `pageOf`.
 */
export const openSearchAction = (decide: Decide, explain: Explain, tokens: PageTokens): SearchAction => {
  const isGranted = async (...evaluation: Parameters<Decide>): Promise<boolean> => {
    try {
      return (await decide(...evaluation)).decision;
    } catch (error) {
      if (error instanceof Problem && error.status === 422) return false;
      throw error;
    }
  };
  return async (snapshot, question, page, { explain: isExplained, ...options }) => {
    const { project } = snapshot;
    const { subject, resource, context, token } = question;
    const grants = new Map<string, StoredKbacPolicy>();
    const decideAll = async (): Promise<readonly string[]> => {
      const names = await Promise.all(
        actionsOf(snapshot, question).map(async (name) => {
          const evaluation = { ...question, action: { name } };
          const onGrant = (policy: StoredKbacPolicy): void => void grants.set(name, policy);
          const limits = { ...options, statementClass: "query" as const, onGrant };
          return (await isGranted(snapshot, evaluation, limits)) ? [name] : [];
        }),
      );
      return names.flat();
    };
    // Decided once for a page, together: actions are few. Not before they are awaited, since a page token may be refused first.
    let granted: Promise<readonly string[]> | undefined;
    const {
      found,
      complete: _,
      ...rest
    } = await pageOf(page, {
      find: async (after, limit) => {
        granted ??= decideAll();
        return { ids: (await granted).filter((name) => compareText(name, after) > 0).slice(0, limit) };
      },
      tokens,
      scope: [project.id, "action", token?.subject ?? null, subject, resource, context ?? null],
      explainNothing: () => undefined,
      // Further pages take no time: everything is decided by then.
      deadline: Infinity,
    });
    const results = found.map((name) => ({ name }));
    if (!isExplained) return { ...rest, results };
    const explanation = [];
    // One time limit for all actions; those that it does not reach omit their candidates.
    const started = performance.now();
    for (const name of actionsOf(snapshot, question)) {
      const timeoutMs = options.timeoutMs - (performance.now() - started);
      const evaluation = { ...question, action: { name } };
      const reasons = await explain(snapshot, evaluation, { ...options, timeoutMs }, grants.get(name));
      explanation.push({ action: name, ...reasons });
    }
    return { ...rest, results, context: { explanation } };
  };
};
