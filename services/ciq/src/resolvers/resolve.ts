import type { ProjectSnapshot, StoredResolver } from "@ikg/catalog";
import { nodePropertyOf, type ResolverError, type ResolverReason } from "@ikg/contracts";
import type { Egress } from "@ikg/egress";
import { propertyField } from "@ikg/physical";
import { openSharedBudget } from "@ikg/service";
import type { ResolverCall } from "../explain/resolver-call.ts";
import type { Page } from "../results/page.ts";
import { type CircuitMetrics, openCircuits } from "./circuits.ts";
import { fetchValue, type Outcome } from "./fetch-value.ts";
import { openPlanner, type Plan, type PlannedCall } from "./plan.ts";
import { type ResolverTemplate, resolverTemplate } from "./template.ts";
import type { CallValues } from "./values.ts";

/** Calls of one execution at the same moment. */
const parallel = 8;
/** Milliseconds that one execution spends on resolvers. */
const budgetMs = 15_000;
/** Calls of a process at the same moment: each may hold an answer of a megabyte. One project has half of them. */
const callsInFlight = 96;
/** Calls of one project that wait for others to end. */
const callsWaiting = 10_000;

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
  readonly project: string;
  /** Bytes of a page at most, as JSON; the same value counts as often as it is shown. */
  readonly pageBytes: number;
  readonly signal: AbortSignal;
  /** Milliseconds that the caller still waits. */
  readonly leftMs: number;
  /** Told of the calls that were made for all rows, in the order in which they began. */
  readonly onCalls?: ((calls: readonly ResolverCall[]) => void) | undefined;
}

/** A page with its external values. */
export interface Resolved {
  /** Members of `data` as JSON. */
  readonly pieces: readonly string[];
  readonly errors: readonly ResolverError[];
}

export interface Resolvers {
  /**
   * Names of the stored fields of a node that some resolver of the project reads: what a statement has to bring of nodes that refer
   * to one. The same list for as long as the resolvers stay as they are.
   */
  fieldsOf(view: Pick<ProjectSnapshot, "resolvers">): readonly string[];
  /**
   * Asks for the external values of a page, all its rows at once. Never fails: what cannot be had, and what does not fit into
   * the page, is null and stands in `errors`.
   */
  resolve(page: Page, resolving: Resolving): Promise<Resolved>;
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

/** A value that there is no room for. */
const full: Outcome = { ok: false, reason: "limit_exceeded" };

/** The calls under the names by which properties want them. */
const callsOf = (planned: readonly Planned[], made: readonly Made[]): readonly ResolverCall[] =>
  made.flatMap(({ outcome, ms }, index): readonly ResolverCall[] => {
    const wanted = planned.find(({ plan }) => plan.kind === "call" && plan.call === index);
    if (wanted === undefined) return [];
    return [{ resolver: wanted.resolver, outcome: outcome.ok ? "resolved" : outcome.reason, ms }];
  });

/** Puts what calls gave into the rows. */
const filled = (
  { pieces, external, bytes }: Page,
  planned: readonly Planned[],
  outcomes: readonly Outcome[],
  pageBytes: number,
): Resolved => {
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

  const fields = new WeakMap<readonly StoredResolver[], readonly string[]>();
  const fieldsOf: Resolvers["fieldsOf"] = (view) => {
    const stored = view.resolvers();
    const known = fields.get(stored);
    if (known !== undefined) return known;
    const names = stored.flatMap((each) => [...(templateOf(each)?.names ?? [])]);
    const properties = names.map(nodePropertyOf).filter((name) => name !== undefined);
    const made = [...new Set(properties)].map(propertyField);
    fields.set(stored, made);
    return made;
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

  const turns = openSharedBudget(
    { capacity: callsInFlight, waitMs: budgetMs, waitingPerProject: callsWaiting },
    "",
  );
  const makeInTurn = async (project: string, call: PlannedCall, signal: AbortSignal): Promise<Made> => {
    const turn = await turns.reserve(project, 1).catch(() => undefined);
    if (turn === undefined) return { outcome: full, ms: 0 };
    try {
      return await make(call, signal);
    } finally {
      turn.release();
    }
  };

  return {
    fieldsOf,
    resolve: async (page, resolving) => {
      if (page.external.length === 0) return { pieces: page.pieces, errors: [] };
      const planner = openPlanner(resolving.view, resolving, templateOf);
      const planned = page.external.flatMap(([row, { external }]) =>
        external.map(([path, reference]): Planned => {
          return { row, path, resolver: reference.resolver, plan: planner.plan(reference) };
        }),
      );
      const limit = AbortSignal.timeout(Math.max(0, Math.min(budgetMs, Math.floor(resolving.leftMs))));
      const signal = AbortSignal.any([limit, resolving.signal]);
      const { project, pageBytes } = resolving;
      let room = pageBytes - page.bytes;
      const made = await each(planner.calls, async (call) => {
        const one = await makeInTurn(project, call, signal);
        if (!one.outcome.ok) return one;
        room -= one.outcome.size;
        return room < 0 ? { ...one, outcome: full } : one;
      });
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
      return filled(page, planned, outcomes, pageBytes);
    },
    close: async () => {
      circuits.close();
      await egress.close();
    },
  };
};
