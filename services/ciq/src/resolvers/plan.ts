import type { ProjectSnapshot, StoredResolver } from "@ikg/catalog";
import type { ResolverReason } from "@ikg/contracts";
import { ResolverFailure } from "./failure.ts";
import type { ExternalReference } from "@ikg/query-rows";
import { render, type RenderedCall } from "./render.ts";
import type { ResolverTemplate } from "./template.ts";
import { type CallValues, nodeNames, valuesFor } from "./values.ts";

/** Calls of one execution that differ from each other. */
const maxCalls = 100;

export interface PlannedCall {
  readonly template: ResolverTemplate;
  readonly call: RenderedCall;
}

/** The plan for a reference: a call, by its index, or a failure with its reason. */
export type Plan =
  | { readonly kind: "call"; readonly call: number }
  | { readonly kind: "failure"; readonly reason: ResolverReason; readonly resolverId: string | undefined };

/** Plans the calls of the references of one execution; equal calls are made once. */
export interface Planner {
  readonly calls: readonly PlannedCall[];
  plan(reference: ExternalReference): Plan;
}

/** @param templateOf undefined for a resolver of which no call can be made. */
export const openPlanner = (
  view: Pick<ProjectSnapshot, "resolver">,
  values: CallValues,
  templateOf: (stored: StoredResolver) => ResolverTemplate | undefined,
): Planner => {
  const calls: PlannedCall[] = [];
  const numbers = new Map<string, number>();
  const plans = new Map<string, Plan>();

  const callOf = (template: ResolverTemplate, call: RenderedCall): Plan => {
    const key = JSON.stringify([template.id, call]);
    const known = numbers.get(key);
    if (known !== undefined) return { kind: "call", call: known };
    if (calls.length >= maxCalls) {
      return { kind: "failure", reason: "limit_exceeded", resolverId: template.id };
    }
    numbers.set(key, calls.length);
    return { kind: "call", call: calls.push({ template, call }) - 1 };
  };

  const planned = (template: ResolverTemplate, reference: ExternalReference): Plan => {
    try {
      return callOf(template, render(template, valuesFor(values, reference)));
    } catch (error) {
      if (!(error instanceof ResolverFailure)) throw error;
      return { kind: "failure", reason: error.reason, resolverId: template.id };
    }
  };

  return {
    calls,
    plan: (reference) => {
      const stored = view.resolver(reference.resolver);
      const template = stored && templateOf(stored);
      if (template === undefined) {
        return { kind: "failure", reason: "resolver_not_found", resolverId: stored?.id };
      }
      // Rendered once for all nodes with the same values of the fields that this resolver reads.
      const valueOf = valuesFor(values, reference);
      const key = JSON.stringify([template.id, ...nodeNames(template.names).map(valueOf)]);
      const known = plans.get(key);
      if (known !== undefined) return known;
      const plan = planned(template, reference);
      plans.set(key, plan);
      return plan;
    },
  };
};
