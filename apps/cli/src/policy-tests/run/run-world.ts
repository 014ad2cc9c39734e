import { CommandFault } from "../../command-environment.ts";
import type { Test, World } from "../file/world.ts";
import type { LoadedWorld, Loader } from "../suite/load.ts";
import { askDecision } from "./ask-decision.ts";
import { askQuery } from "./ask-query.ts";
import { askSearch } from "./ask-search.ts";
import { type TestClient, openTestClient } from "./ask.ts";
import { inParallel } from "./in-parallel.ts";
import type { Observation, Outcome, TestResult } from "./result.ts";

/** Maximum concurrent requests of one file. */
const maxConcurrent = 8;

const ask = (client: TestClient, test: Test): Promise<Outcome> => {
  switch (test.kind) {
    case "decision":
      return askDecision(client, test);
    case "search":
      return askSearch(client, test);
    case "query":
      return askQuery(client, test);
  }
};

const isWriting = (test: Test): boolean => test.kind === "query" && test.writes;

/** Groups of tests that can run concurrently. A test that writes is a separate group, so that later tests see its data. */
const groupsOf = (tests: readonly Test[]): readonly (readonly number[])[] => {
  const groups: number[][] = [];
  tests.forEach((test, index) => {
    const before = tests[index - 1];
    const isNew = before === undefined || isWriting(test) || isWriting(before);
    if (isNew) groups.push([index]);
    else groups.at(-1)?.push(index);
  });
  return groups;
};

const passed = { expected: "", actual: "", why: [] } as const;

const resultOf = async (
  client: TestClient,
  test: Test,
  observe: (observation: Observation) => void,
): Promise<TestResult> => {
  const started = performance.now();
  const { title, place } = test;
  const done = () => ({ title, place, milliseconds: Math.round(performance.now() - started) });
  try {
    const outcome = await ask(client, test);
    observe(outcome.observation);
    if (outcome.passed) return { ...done(), status: "passed", ...passed };
    const { expected, actual, why } = outcome;
    return { ...done(), status: "failed", expected, actual, why };
  } catch (error) {
    if (!(error instanceof CommandFault)) throw error;
    return { ...done(), status: "error", expected: "a response", actual: error.message, why: [] };
  }
};

/** Runs all tests of a file. */
export const runWorld = async (
  loader: Loader,
  world: World,
  loaded: LoadedWorld,
  explainsAll: boolean,
): Promise<{ readonly tests: readonly TestResult[]; readonly observations: readonly Observation[] }> => {
  const client = openTestClient(loader, world, loaded, explainsAll);
  const results = new Map<number, TestResult>();
  const observations: Observation[] = [];
  for (const group of groupsOf(world.tests))
    await inParallel(group, maxConcurrent, async (index) => {
      const test = world.tests[index];
      if (test !== undefined)
        results.set(index, await resultOf(client, test, (observation) => observations.push(observation)));
    });
  const tests = world.tests.flatMap((_, index) => results.get(index) ?? []);
  return { tests, observations };
};
