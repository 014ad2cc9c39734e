import { type CoalesceHooks, Lane, type SendRows } from "./coalesce-lane.ts";
import type { Row, StatementOptions } from "../types.ts";

/** NUL is in no text. */
const keyOf = (text: string, { after }: StatementOptions): string =>
  after === undefined ? text : `${text}\0${JSON.stringify(after)}`;

/**
 * Joins rows of one statement text that wait at the same moment into one statement (docs/decisions/0004-decisions-as-rows.md).
 * A text is part of the key and belongs to one project, so rows of two projects never meet; results are
 * handed out by number and never shared.
 *
 * A row that fails or takes too long fails alone: the rows of its statement are sent again in parts, as long as their callers
 * have time, until it has a statement to itself.
 *
 * @param hooks `onJoined` is called for every statement that is sent, not for the parts of one that failed.
 */
export const coalesce = <S>(send: SendRows<S>, hooks: CoalesceHooks = {}) => {
  const lanes = new Map<string, Lane<S>>();
  return (
    text: string,
    row: Record<string, unknown>,
    options: StatementOptions,
    scope?: S,
  ): Promise<Row | undefined> => {
    if (options.signal?.aborted === true) return Promise.reject(options.signal.reason);
    const key = keyOf(text, options);
    let lane = lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(text, send, hooks, () => lanes.delete(key));
      lanes.set(key, lane);
    }
    return lane.add(row, options, scope);
  };
};
