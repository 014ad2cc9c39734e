import { describe, expect, it } from "@jest/globals";
import type { IkgAdmin, Simulation } from "@ikg/client";
import { silentSurroundings } from "../../test/surroundings.ts";
import { runSimulation } from "./simulation.ts";

const answer = (more: Partial<Simulation>): Simulation => ({
  complete: false,
  milliseconds: 1,
  questions: [],
  undetermined: [],
  ...more,
});

/** Answers one call after the other. */
const adminWith = (...answers: readonly Simulation[]): IkgAdmin => {
  const left = [...answers];
  const progress = async function* next() {
    yield left.shift();
  };
  return { simulations: { progress } } as unknown as IkgAdmin; // nothing else of it is used
};

describe("a simulation of several calls", () => {
  it("tells the queries of all of them, and which none reached", async () => {
    const rows = (query: number, name: string) => ({ query, name, complete: true, rows_before: query });
    const admin = adminWith(
      answer({ next: "on", queries: [rows(0, "a")] }),
      answer({ complete: true, queries: [rows(1, "b")] }),
    );
    const queries = ["a", "b", "c"].map((name) => ({ name }));
    const fields = { changes: [], queries } as unknown as Parameters<typeof runSimulation>[1];
    const found = await runSimulation(admin, fields, { budget: 200, around: silentSurroundings() });
    expect(found.queries).toEqual([rows(0, "a"), rows(1, "b"), { query: 2, name: "c", complete: false }]);
  });
});
