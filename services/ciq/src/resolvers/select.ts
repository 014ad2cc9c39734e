import { createContext, Script } from "node:vm";
import type { Selector } from "@ikg/contracts";
import { type JsonValue, query } from "jsonpath-rfc9535";
import { ResolverFailure } from "./failure.ts";

/** Time limit of a query that finds many values: it blocks the event loop. */
const selectMs = 100;

const stepInto = (value: unknown, step: string | number): { readonly found: unknown } | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    if (typeof step === "string") return undefined;
    const index = step < 0 ? value.length + step : step;
    return index >= 0 && index < value.length ? { found: value[index] } : undefined;
  }
  if (typeof step === "number" || !Object.hasOwn(value, step)) return undefined;
  return { found: (value as Readonly<Record<string, unknown>>)[step] }; // an object of JSON
};

const selectOne = (steps: readonly (string | number)[], document: unknown): unknown => {
  let value = document;
  for (const step of steps) {
    const next = stepInto(value, step);
    if (next === undefined) throw new ResolverFailure("selector_no_match");
    value = next.found;
  }
  return value;
};

/** Only a script can be given a time limit; it also ends the functions that the script calls. */
const script = new Script("run()");
const sandbox: { run: () => void } = { run: () => undefined };
const context = createContext(sandbox);

const withinTimeLimit = <T>(work: () => T): T => {
  let result: { readonly value: T } | undefined;
  sandbox.run = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: selectMs });
  } catch (error) {
    throw new ResolverFailure("limit_exceeded", error);
  } finally {
    sandbox.run = () => undefined;
  }
  if (result === undefined) throw new ResolverFailure("limit_exceeded");
  return result.value;
};

/**
 * The value that a selector finds, or a list for a query that may find several.
 *
 * @param document the result of `JSON.parse`.
 * @throws ResolverFailure `selector_no_match` when a query for one value finds none; `limit_exceeded` when the search
 *   takes too long.
 */
export const select = ({ steps, query: text }: Selector, document: unknown): unknown =>
  steps === undefined
    ? withinTimeLimit(() => query(document as JsonValue, text))
    : selectOne(steps, document);
