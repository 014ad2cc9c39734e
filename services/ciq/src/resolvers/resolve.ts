import type { ProjectSnapshot } from "@ikg/catalog";
import { mapInParallel, type Tenant } from "@ikg/concurrency";
import type { ResolverError, ResolverReason } from "@ikg/contracts";
import type { Egress } from "@ikg/egress";
import type { ResolverCall } from "../explain/resolver-call.ts";
import type { Page } from "../results/page.ts";
import { type Calls, type CallResult, limitExceeded, openCalls, type ResolverMetrics } from "./calls.ts";
import type { Outcome } from "./fetch-value.ts";
import { openPlanner, type Plan, type Planner } from "./plan.ts";
import { openTemplates } from "./templates.ts";
import type { CallValues } from "./values.ts";

/** Calls of one execution at the same moment. */
const parallel = 8;
/** Milliseconds that one execution spends on resolvers. */
const budgetMs = 15_000;

export interface ResolverParts {
  readonly egress: Egress;
  readonly metrics: ResolverMetrics;
  readonly log: { warn(message: string, fields?: Record<string, unknown>): unknown };
  /** Milliseconds of one call. */
  readonly timeoutMs: number;
  /** Milliseconds after which an open circuit lets a call through; default 30 s. */
  readonly resetMs?: number;
}

/** The execution whose rows are resolved. */
export interface ResolutionContext extends CallValues {
  readonly view: Pick<ProjectSnapshot, "resolver">;
  readonly project: Tenant;
  /** Bytes of a page at most, as JSON; the same value counts as often as it is shown. */
  readonly pageBytes: number;
  readonly signal: AbortSignal;
  /** Milliseconds that the caller still waits. */
  readonly leftMs: number;
  /** Called with the calls that were made for all rows, in the order in which they began. */
  readonly onCalls?: ((calls: readonly ResolverCall[]) => void) | undefined;
}

/** A page with its external values. */
export interface ResolvedPage {
  /** Members of `data` as JSON. */
  readonly pieces: readonly string[];
  readonly errors: readonly ResolverError[];
}

export interface Resolvers {
  /**
   * Names of the stored fields of a node that some resolver of the project reads: a statement returns them of nodes that refer to a
   * resolver. The same list for as long as the resolvers do not change.
   */
  fieldsOf(view: Pick<ProjectSnapshot, "resolvers">): readonly string[];
  /**
   * Resolves the external values of a page, all its rows at once. Never fails: a value that is not available, or that does not
   * fit into the page, is null, and `errors` names it.
   */
  resolve(page: Page, context: ResolutionContext): Promise<ResolvedPage>;
  close(): Promise<void>;
}

/** An external value of a row, with the plan by which it is resolved. */
interface PlannedReference {
  readonly row: number;
  readonly path: string;
  readonly resolver: string;
  readonly plan: Plan;
}

/** The calls with the names of their resolvers, as the properties have them. */
const callsOf = (
  planned: readonly PlannedReference[],
  made: readonly CallResult[],
): readonly ResolverCall[] =>
  made.flatMap(({ outcome, ms }, index): readonly ResolverCall[] => {
    const wanted = planned.find(({ plan }) => plan.kind === "call" && plan.call === index);
    if (wanted === undefined) return [];
    const { resolver } = wanted;
    return outcome.ok
      ? [{ resolver, outcome: "resolved", ms, isServiceFault: false }]
      : [{ resolver, outcome: outcome.reason, ms, isServiceFault: outcome.isServiceFault === true }];
  });

/** Puts the values of calls into the rows. */
const fillRows = (
  { pieces, external, bytes }: Page,
  planned: readonly PlannedReference[],
  outcomes: readonly Outcome[],
  pageBytes: number,
): ResolvedPage => {
  const shown = [...pieces];
  const errors: ResolverError[] = [];
  let left = pageBytes - bytes;
  const valueAt = (plan: Plan): Outcome => {
    const outcome = plan.kind === "call" ? outcomes[plan.call] : { ok: false as const, reason: plan.reason };
    if (outcome === undefined) throw new Error("a call without an outcome");
    if (!outcome.ok) return outcome;
    if (outcome.size > left) return { ok: false, reason: "limit_exceeded" };
    left -= outcome.size;
    return outcome;
  };
  const byRow = Map.groupBy(planned, ({ row }) => row);
  for (const [index, { row }] of external) {
    const nodes = { ...row.nodes };
    for (const { path, resolver, plan } of byRow.get(index) ?? []) {
      const outcome = valueAt(plan);
      if (outcome.ok) nodes[path] = outcome.value;
      else errors.push({ row: index, path, resolver, reason: outcome.reason });
    }
    shown[index] = JSON.stringify({ ...row, nodes });
  }
  return { pieces: shown, errors };
};

/** Plans the calls of a page. */
const planReferences = (page: Page, planner: Planner): readonly PlannedReference[] =>
  page.external.flatMap(([row, { external }]) =>
    external.map(([path, reference]): PlannedReference => {
      return { row, path, resolver: reference.resolver, plan: planner.plan(reference) };
    }),
  );

/** Makes the planned calls, as far as their values fit into the page. */
const makeCalls = (
  calls: Calls,
  planner: Planner,
  { project, pageBytes, leftMs, signal }: ResolutionContext,
  usedBytes: number,
): Promise<readonly CallResult[]> => {
  const timeout = AbortSignal.timeout(Math.max(0, Math.min(budgetMs, Math.floor(leftMs))));
  const until = AbortSignal.any([timeout, signal]);
  let bytesLeft = pageBytes - usedBytes;
  return mapInParallel(planner.calls, parallel, async (call) => {
    const made = await calls.make(project, call, until);
    if (!made.outcome.ok) return made;
    bytesLeft -= made.outcome.size;
    return bytesLeft < 0 ? { ...made, outcome: limitExceeded } : made;
  });
};

/** Why a value is missing; no resolver is named where none exists. */
interface LoggedFailure {
  readonly resolver: string | undefined;
  readonly reason: ResolverReason;
  readonly cause?: string | undefined;
}

const failuresOf = (
  planned: readonly PlannedReference[],
  made: readonly CallResult[],
  { calls }: Planner,
): readonly LoggedFailure[] => [
  ...planned.flatMap(({ plan }) =>
    plan.kind === "failure" ? [{ resolver: plan.resolverId, reason: plan.reason }] : [],
  ),
  ...made.flatMap(({ outcome }, index) =>
    outcome.ok ? [] : [{ resolver: calls[index]?.template.id, reason: outcome.reason, cause: outcome.cause }],
  ),
];

/** Logs each distinct failure of an execution once. */
const logFailures = (log: ResolverParts["log"], failures: readonly LoggedFailure[]): void => {
  const lines = new Set(failures.map((failure) => JSON.stringify(failure)));
  for (const line of lines)
    log.warn("an external value could not be resolved", JSON.parse(line) as Record<string, unknown>);
};

export const openResolvers = ({ log, ...parts }: ResolverParts): Resolvers => {
  const templates = openTemplates();
  const calls = openCalls({ ...parts, waitMs: budgetMs });
  return {
    fieldsOf: (view) => templates.fieldsOf(view.resolvers()),
    resolve: async (page, context) => {
      if (page.external.length === 0) return { pieces: page.pieces, errors: [] };
      const planner = openPlanner(context.view, context, templates.of);
      const planned = planReferences(page, planner);
      const made = await makeCalls(calls, planner, context, page.bytes);
      context.onCalls?.(callsOf(planned, made));
      logFailures(log, failuresOf(planned, made, planner));
      const outcomes = made.map(({ outcome }) => outcome);
      return fillRows(page, planned, outcomes, context.pageBytes);
    },
    close: async () => {
      calls.close();
      await parts.egress.close();
    },
  };
};
