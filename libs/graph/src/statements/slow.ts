import { LRUCache } from "lru-cache";
import neo4j, { type Plan } from "neo4j-driver";
import type { Source } from "./read.ts";
import type { GraphHooks, StatementEvent } from "../types.ts";

/** The plan is requested when a statement is slow for the first time, and again after this interval. */
const againMs = 60_000;
const maxPlans = 200;
const planMs = 5_000;

interface RecentPlan {
  readonly at: number;
  readonly plan: Promise<string | undefined>;
}

/** Literals of a text: names of labels and properties stay, values do not. */
const literal = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\b\d+(?:\.\d+)?\b/g;
const quoted = /`(?:[^`]|``)*`/;
const nameOrLiteral = new RegExp(`${quoted.source}|${literal.source}`, "g");
const maxTextLength = 2_000;

/** A statement without the values that its author wrote into it; those of requests are parameters and never in it. */
export const withoutValues = (text: string): string => {
  const bare = text.replaceAll(nameOrLiteral, (found) => (found.startsWith("`") ? found : "?"));
  return bare.length > maxTextLength ? `${bare.slice(0, maxTextLength)} …` : bare;
};

/** The operators of a plan from the result down, with the rows that the database expects of each. */
export const planSummary = ({ operatorType, arguments: { EstimatedRows }, children }: Plan): string => {
  const rows = typeof EstimatedRows === "number" ? ` ${Math.round(EstimatedRows)}` : "";
  const name = `${operatorType.replace(/@.*$/, "")}${rows}`;
  if (children.length === 0) return name;
  const below = children.map(planSummary);
  return `${name} < ${below.length === 1 ? below[0] : `(${below.join(", ")})`}`;
};

const planOf = async ({ driver, database }: Source, text: string): Promise<string | undefined> => {
  const session = driver.session({ database, defaultAccessMode: neo4j.session.WRITE });
  try {
    const { summary } = await session.run(`EXPLAIN ${text}`, {}, { timeout: planMs });
    return summary.plan ? planSummary(summary.plan) : undefined;
  } catch {
    // The database that was slow may be unavailable by now.
    return undefined;
  } finally {
    await session.close().catch(() => undefined);
  }
};

/**
 * Reports statements that took longer than the hooks allow, with the summary of their plan. The plan is requested
 * afterwards: it is not executed, and no request waits for it.
 */
export const reportSlow = (source: Source, hooks: GraphHooks): ((event: StatementEvent) => void) => {
  const { slowMs } = hooks;
  if (slowMs === undefined) return () => undefined;
  const plans = new LRUCache<string, RecentPlan>({ max: maxPlans });
  const recentPlan = (text: string): Promise<string | undefined> => {
    const known = plans.get(text);
    if (known !== undefined && performance.now() - known.at < againMs) return known.plan;
    const plan = planOf(source, text);
    plans.set(text, { at: performance.now(), plan });
    return plan;
  };
  return (event) => {
    if (event.ms < slowMs) return;
    const { text, ms, rows, failed, requestId } = event;
    void recentPlan(text).then((plan) =>
      hooks.onSlow?.({ statement: withoutValues(text), ms, rows, failed, requestId, plan }),
    );
  };
};
