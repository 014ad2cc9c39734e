import type { ProjectSnapshot, StoredResolver } from "@ikg/catalog";
import type { ExecuteResponse, ResolverError, ResolverReason, ResultRow } from "@ikg/contracts";
import type { Egress } from "@ikg/egress";
import type { ResolverCall } from "../explain/resolver-call.ts";
import type { ProjectedRow } from "../results/row.ts";
import { type CircuitMetrics, openCircuits } from "./circuits.ts";
import { fetchValue, type Outcome } from "./fetch-value.ts";
import { openPlanner, type Plan, type PlannedCall } from "./plan.ts";
import { type ResolverTemplate, resolverTemplate } from "./template.ts";
import type { CallValues } from "./values.ts";

/** Calls of one execution at the same moment. */
const parallel = 8;
/** Milliseconds that one execution spends on resolvers. */
const budgetMs = 15_000;
/** Characters of all values in one answer; the same value counts as often as it is shown. */
const maxAnswerSize = 16 * 1024 * 1024;

/** What counts calls; the metrics of a service fit. */
export interface ResolverMetrics extends CircuitMetrics {
  histogram(
    name: string,
    help: string,
    labels: readonly string[],
  ): { observe(labels: Record<string, string>, value: number): void };
}

export interface ResolverParts {
  readonly egress: Egress;
  readonly metrics: ResolverMetrics;
  readonly log: { warn(message: string, fields?: Record<string, unknown>): unknown };
  /** Milliseconds of one call. */
  readonly timeoutMs: number;
  /** Milliseconds after which a call is let through to a service that was ill; default 30 s. */
  readonly resetMs?: number;
}

/** The execution that rows come from. */
export interface Resolving extends CallValues {
  readonly view: Pick<ProjectSnapshot, "resolver">;
  readonly signal: AbortSignal;
  /** Milliseconds that the caller still waits. */
  readonly leftMs: number;
  /** Told of the calls that were made for all rows, in the order in which they began. */
  readonly onCalls?: ((calls: readonly ResolverCall[]) => void) | undefined;
}

export interface Resolvers {
  /**
   * Asks for the external values of a page, all its rows at once (runtime specification 3.5 to 3.7). Never fails: what
   * cannot be had is null and stands in `errors`.
   */
  resolve(rows: readonly ProjectedRow[], resolving: Resolving): Promise<ExecuteResponse>;
  close(): Promise<void>;
}

/** Runs `work` for every item, some at a time. */
const each = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
  return results;
};

interface Planned {
  readonly row: number;
  readonly path: string;
  readonly resolver: string;
  readonly plan: Plan;
}

/** What a call gave, and how long it took. */
interface Made {
  readonly outcome: Outcome;
  readonly ms: number;
}

/** The calls under the names by which properties want them. */
const callsOf = (planned: readonly Planned[], made: readonly Made[]): readonly ResolverCall[] =>
  made.flatMap(({ outcome, ms }, index): readonly ResolverCall[] => {
    const wanted = planned.find(({ plan }) => plan.kind === "call" && plan.call === index);
    if (wanted === undefined) return [];
    return [{ resolver: wanted.resolver, outcome: outcome.ok ? "resolved" : outcome.reason, ms }];
  });

/** Puts what calls gave into the rows. */
const filled = (
  rows: readonly ProjectedRow[],
  planned: readonly Planned[],
  outcomes: readonly Outcome[],
): ExecuteResponse => {
  const nodes = new Map<number, Record<string, unknown>>();
  const errors: ResolverError[] = [];
  let left = maxAnswerSize;
  const valueAt = (plan: Plan): Outcome => {
    const outcome = plan.kind === "call" ? outcomes[plan.call] : { ok: false as const, reason: plan.reason };
    if (outcome === undefined) throw new Error("a call without an outcome");
    if (!outcome.ok) return outcome;
    if (outcome.size > left) return { ok: false, reason: "limit_exceeded" };
    left -= outcome.size;
    return outcome;
  };
  for (const { row, path, resolver, plan } of planned) {
    const outcome = valueAt(plan);
    if (outcome.ok) {
      const values = nodes.get(row) ?? { ...rows[row]?.row.nodes };
      values[path] = outcome.value;
      nodes.set(row, values);
    } else errors.push({ row, path, resolver, reason: outcome.reason });
  }
  const data = rows.map(({ row }, index): ResultRow => {
    const values = nodes.get(index);
    return values === undefined ? row : { ...row, nodes: values };
  });
  return errors.length === 0 ? { data } : { data, errors };
};

export const openResolvers = ({ egress, metrics, log, timeoutMs, resetMs }: ResolverParts): Resolvers => {
  const circuits = openCircuits(metrics, resetMs);
  const duration = metrics.histogram(
    "ikg_resolver_call_duration_seconds",
    "Duration of calls to external data resolvers, by outcome: ok, or why there is no value.",
    ["outcome"],
  );
  /** Templates live as long as the catalog's view of the resolver. */
  const templates = new WeakMap<StoredResolver, { readonly template: ResolverTemplate | undefined }>();

  const templateOf = (stored: StoredResolver): ResolverTemplate | undefined => {
    const known = templates.get(stored);
    if (known !== undefined) return known.template;
    let template: ResolverTemplate | undefined;
    try {
      template = resolverTemplate(stored);
    } catch {
      // It was saved under other rules; the failures of its calls are logged as those of any other.
    }
    templates.set(stored, { template });
    return template;
  };

  /** One line for each reason that a resolver of an execution failed for, however often. */
  const logFailures = (
    failed: Iterable<readonly [resolver: string | undefined, reason: ResolverReason]>,
  ): void => {
    const lines = new Set([...failed].map(([resolver, reason]) => JSON.stringify({ resolver, reason })));
    for (const line of lines)
      log.warn("an external value could not be had", JSON.parse(line) as Record<string, unknown>);
  };

  const make = async ({ template, call }: PlannedCall, signal: AbortSignal): Promise<Made> => {
    const began = performance.now();
    const { selector } = template;
    const outcome = await fetchValue(egress, circuits.of(template), { call, selector, timeoutMs, signal });
    const ms = performance.now() - began;
    duration.observe({ outcome: outcome.ok ? "ok" : outcome.reason }, ms / 1000);
    return { outcome, ms };
  };

  return {
    resolve: async (rows, resolving) => {
      if (rows.every(({ external }) => external.length === 0)) return { data: rows.map(({ row }) => row) };
      const planner = openPlanner(resolving.view, resolving, templateOf);
      const planned = rows.flatMap(({ external }, row) =>
        external.map(([path, reference]): Planned => {
          return { row, path, resolver: reference.resolver, plan: planner.plan(reference) };
        }),
      );
      const limit = AbortSignal.timeout(Math.max(0, Math.min(budgetMs, Math.floor(resolving.leftMs))));
      const signal = AbortSignal.any([limit, resolving.signal]);
      const made = await each(planner.calls, (call) => make(call, signal));
      const outcomes = made.map(({ outcome }) => outcome);
      resolving.onCalls?.(callsOf(planned, made));
      logFailures([
        ...planned.flatMap(({ plan }) =>
          plan.kind === "failure" ? [[plan.resolverId, plan.reason] as const] : [],
        ),
        ...outcomes.flatMap((outcome, index) =>
          outcome.ok ? [] : [[planner.calls[index]?.template.id, outcome.reason] as const],
        ),
      ]);
      return filled(rows, planned, outcomes);
    },
    close: async () => {
      circuits.close();
      await egress.close();
    },
  };
};
