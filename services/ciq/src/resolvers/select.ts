import { createContext, Script } from "node:vm";
import type { Selector } from "@ikg/contracts";
import { type JsonValue, query } from "jsonpath-rfc9535";
import { ResolverFailure } from "./failure.ts";

/** Time limit of a query that finds many values: it blocks the event loop. */
const selectMs = 100;
/** How often a query is tried that did not have a processor for half of its time, as on a machine that is overloaded. */
const attempts = 3;

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

const attempt = <T>(work: () => T): T => {
  let result: { readonly value: T } | undefined;
  sandbox.run = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: selectMs });
  } finally {
    sandbox.run = () => undefined;
  }
  if (result === undefined) throw new Error("the script did not call its function");
  return result.value;
};

/** Milliseconds that this thread has had a processor. */
const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** The limit is one of elapsed time, but what fails must not depend on what else the machine does. */
const withinTimeLimit = <T>(work: () => T): T => {
  let failure: unknown;
  for (let tried = 0; tried < attempts; tried++) {
    const before = processorMs();
    try {
      return attempt(work);
    } catch (error) {
      failure = error;
    }
    if (processorMs() - before >= selectMs / 2) break;
  }
  throw new ResolverFailure("limit_exceeded", failure);
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
