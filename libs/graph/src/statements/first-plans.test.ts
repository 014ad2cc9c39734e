import { expect, it } from "@jest/globals";
import { setTimeout as wait } from "node:timers/promises";
import { StatementTimeout } from "../errors.ts";
import { type EndPlanning, FirstPlans, planKey } from "./first-plans.ts";

const options = { timeoutMs: 10_000 };
const patient = { ...options, mayWait: true };

/** What a turn comes to, once it does. */
const turnsOf = (plans: FirstPlans) => {
  const came: string[] = [];
  const ends = new Map<string, EndPlanning | undefined>();
  const take = async (name: string, text: string, how = options): Promise<void> => {
    const end = await plans.turn(planKey(text, {}), how);
    came.push(name);
    ends.set(name, end);
  };
  return { came, take, end: (name: string, outcome: "planned" | "failed") => ends.get(name)?.(outcome) };
};

it("a plan is kept for a text and the orders of magnitude of its lists and strings, as Neo4j keeps it", () => {
  const rows = (length: number) => ({ rows: Array.from({ length }, () => 1), other: 5 });
  const sizes = [0, 1, 2, 10, 11, 100, 101].map((length) => planKey("text", rows(length)).sizes);
  expect(new Set(sizes).size).toBe(5);
  expect(planKey("text", rows(2))).toEqual(planKey("text", rows(10)));
  expect(planKey("text", rows(1))).not.toEqual(planKey("other", rows(1)));
  const swapped = planKey("text", { a: "long enough", b: "x" });
  expect(planKey("text", { a: "x", b: "long enough" })).not.toEqual(swapped);
});

it("equal statements wait until the first one is planned, and others do not", async () => {
  const plans = new FirstPlans();
  const { came, take, end } = turnsOf(plans);
  const all = [take("first", "a"), take("second", "a"), take("third", "a"), take("other", "b")];
  await wait(10);
  expect(came).toEqual(["first", "other"]);
  end("first", "planned");
  await Promise.all(all);
  expect(came).toEqual(["first", "other", "second", "third"]);
  expect(plans.isPlanned(planKey("a", {}))).toBe(true);
  expect(plans.turn(planKey("a", {}), options)).toBeUndefined();
});

it("when the first one fails, the next one is the first", async () => {
  const plans = new FirstPlans();
  const { came, take, end } = turnsOf(plans);
  void take("first", "a");
  void take("second", "a");
  void take("third", "a");
  await wait(10);
  end("first", "failed");
  await wait(10);
  expect(came).toEqual(["first", "second"]);
  // What is called late changes nothing.
  end("first", "planned");
  await wait(10);
  expect(came).toEqual(["first", "second"]);
  end("second", "failed");
  await wait(10);
  expect(came).toEqual(["first", "second", "third"]);
});

it("a statement waits no longer than its time, and its signal ends the wait", async () => {
  const plans = new FirstPlans();
  await plans.turn(planKey("a", {}), options);
  await expect(plans.turn(planKey("a", {}), { timeoutMs: 20 })).rejects.toBeInstanceOf(StatementTimeout);
  const gone = new Error("gone");
  const stop = new AbortController();
  const waiting = plans.turn(planKey("a", {}), { ...options, signal: stop.signal });
  stop.abort(gone);
  await expect(waiting).rejects.toBe(gone);
  expect(() => plans.turn(planKey("other", {}), { ...options, signal: stop.signal })).toThrow(gone);
  expect(plans.turn(planKey("other", {}), options)).toBeDefined();
});

it("statements that may wait are planned one at a time, and look-ups beside them", async () => {
  const plans = new FirstPlans();
  const { came, take, end } = turnsOf(plans);
  void take("chains", "a", patient);
  void take("outbox", "b", patient);
  void take("credential", "c");
  await wait(10);
  expect(came).toEqual(["chains", "credential"]);
  end("chains", "failed");
  await wait(10);
  expect(came).toEqual(["chains", "credential", "outbox"]);
});

it("after the server was lost everything is planned anew, look-ups first", async () => {
  const plans = new FirstPlans(100);
  const { came, take, end } = turnsOf(plans);
  await take("credential before", "a");
  end("credential before", "planned");
  plans.clear();
  expect(plans.isPlanned(planKey("a", {}))).toBe(false);
  const outbox = take("outbox", "b", patient);
  await take("credential", "a");
  await wait(50);
  expect(came).toEqual(["credential before", "credential"]);
  await outbox;
  expect(came).toEqual(["credential before", "credential", "outbox"]);
});
