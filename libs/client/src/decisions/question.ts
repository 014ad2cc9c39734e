import type { Action, Context, Entity } from "../contract/wire.ts";
import type { CallOptions } from "../transport/options.ts";

/** What policies may read besides the graph. */
export interface InputOptions {
  /** Values of the parameters of policies: `context.input_params`. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** Only policies with these tags: `context.policy_tags`. */
  readonly tags?: readonly string[] | undefined;
  /** Further members of the context, which policies read as `$request.context`. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

export interface DecideOptions extends InputOptions, CallOptions {
  /** The outcome of every policy; the agent needs the permission `ReadAuthZConfigs`. */
  readonly explain?: boolean | undefined;
  /** False: a request of its own, also when other questions are asked in the same turn. */
  readonly join?: boolean | undefined;
}

export interface Question {
  readonly subject: Entity;
  readonly action: Action;
  readonly resource: Entity;
  readonly context?: Context;
}

/** An action by its name, or with properties. */
export const actionOf = (action: string | Action): Action =>
  typeof action === "string" ? { name: action } : action;

/** The context, or nothing where there is none. */
export const contextOf = ({ params, tags, context }: InputOptions): { readonly context?: Context } =>
  params === undefined && tags === undefined && context === undefined
    ? {}
    : {
        context: {
          ...context,
          ...(params !== undefined && { input_params: { ...params } }),
          ...(tags !== undefined && { policy_tags: tags }),
        },
      };
