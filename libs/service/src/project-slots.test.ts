import { describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { openProjectSlots } from "./project-slots.ts";

const open = (full?: "too_many_requests") =>
  openProjectSlots({
    total: 3,
    perProject: 2,
    errors: { ofProject: (taken) => `project: ${taken}`, ofAll: (taken) => `all: ${taken}` },
    ...(full && { full }),
  });

const refusal = (take: () => unknown) => {
  try {
    take();
  } catch (error) {
    if (error instanceof Problem) return [error.status, error.errors, error.headers["Retry-After"]];
    throw error;
  }
  return undefined;
};

describe("slots of projects", () => {
  it("a project has its share, and all have what there is", () => {
    const slots = open();
    slots.take("a");
    slots.take("a");
    expect(refusal(() => slots.take("a"))).toEqual([429, ["project: 2"], "5"]);
    slots.take("b");
    expect(refusal(() => slots.take("b"))).toEqual([503, ["all: 3"], "5"]);
  });

  it("are free again once they are given back, each once", () => {
    const slots = open("too_many_requests");
    const release = slots.take("a");
    slots.take("a");
    slots.take("b");
    release();
    release();
    slots.take("c");
    expect(refusal(() => slots.take("d"))).toEqual([429, ["all: 3"], "5"]);
  });
});
