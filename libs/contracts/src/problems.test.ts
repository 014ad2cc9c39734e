import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { parse } from "./parse.ts";
import { maxErrorDetails, Problem } from "./problems.ts";

const caught = (work: () => unknown): Problem => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error("no problem was thrown");
};

describe("the envelope of an error", () => {
  it("has details only when there are some, and never its cause", () => {
    expect(new Problem("not_found", { cause: new Error("secret") }).envelope()).toEqual({
      message: "Not Found",
    });
    expect(new Problem("unprocessable", { errors: ["a: b"] }).envelope()).toEqual({
      message: "Unprocessable Entity",
      errors: ["a: b"],
    });
  });

  it(`has at most ${maxErrorDetails} details`, () => {
    const errors = Array.from({ length: 80 }, (_, index) => `a[${index}]: x`);
    expect(new Problem("unprocessable", { errors }).envelope().errors).toHaveLength(maxErrorDetails);
  });
});

describe("parsing what comes from outside", () => {
  const schema = z.object({ nodes: z.array(z.object({ id: z.string(), n: z.int().optional() })).min(1) });

  it("names every fault by its JSON path", () => {
    const problem = caught(() => parse(schema, { nodes: [{ id: 1 }, {}, { id: "a", n: "5" }] }));
    expect(problem.status).toBe(400);
    expect(problem.errors).toEqual([
      "nodes[0].id: string expected",
      "nodes[1].id: required",
      expect.stringMatching(/^nodes\[2\]\.n: (integer|number) expected$/),
    ]);
  });

  it("answers with the problem that the caller names", () => {
    expect(caught(() => parse(schema, {}, "unprocessable"))).toMatchObject({
      status: 422,
      errors: ["nodes: required"],
    });
  });

  it("passes on known members, and leaves out unknown ones", () => {
    expect(parse(schema, { nodes: [{ id: "a", extra: 1 }], more: true })).toEqual({ nodes: [{ id: "a" }] });
  });
});
