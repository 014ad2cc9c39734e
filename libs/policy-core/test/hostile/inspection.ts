import { inspect } from "node:util";
import type { Graph, Row } from "@ikg/graph";
import type { CanaryTenant } from "./canary-tenant.ts";
import type { Outcome, TimeLimits } from "./run-accepted.ts";

/** Where and how long accepted texts are run. */
export interface Inspection extends TimeLimits {
  readonly graph: Graph;
  readonly canary: CanaryTenant;
  /** Milliseconds; reads that take longer, once they are planned, are not run without the canary tenant. */
  readonly repeatMs: number;
}

/** What an accepted text did that none may do. */
export interface Finding {
  readonly fault: string;
  readonly text: string;
}

/** More findings add nothing, and each takes its time where the server has ended. */
export const maxFindings = 10;

/** What is wrong with how a text ended and with what it answered. */
export const outcomeFaults = (
  { canary, mostMs }: Inspection,
  { ms, error, rows }: Outcome & { readonly rows: readonly Row[] },
): readonly string[] => [
  ...(error === undefined ? [] : [`failed: ${error instanceof Error ? String(error) : inspect(error)}`]),
  ...(ms < mostMs ? [] : [`took ${Math.round(ms)} ms`]),
  ...(canary.isIn(rows) ? ["answered values of another tenant"] : []),
];
