import { describe, expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { openProjectSlots } from "./project-slots.ts";
import { tenantOf as of } from "../../test/tenant-of.ts";

const open = (full?: "too_many_requests") =>
  openProjectSlots({
    total: 4,
    perProject: 2,
    errors: { ofOwner: (taken, owner) => `${owner}: ${taken}`, ofAll: (taken) => `all: ${taken}` },
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
    slots.take(of("a"));
    slots.take(of("a"));
    expect(refusal(() => slots.take(of("a")))).toEqual([429, ["project: 2"], "5"]);
    slots.take(of("b"));
    slots.take(of("b"));
    expect(refusal(() => slots.take(of("c")))).toEqual([503, ["all: 4"], "5"]);
  });

  it("the projects of an organization have three quarters of them", () => {
    const slots = open();
    slots.take(of("a", "many"));
    slots.take(of("b", "many"));
    slots.take(of("c", "many"));
    expect(refusal(() => slots.take(of("d", "many")))).toEqual([429, ["organization: 3"], "5"]);
    slots.take(of("e"));
  });

  it("are free again once they are given back, each once", () => {
    const slots = open("too_many_requests");
    const release = slots.take(of("a"));
    slots.take(of("a"));
    slots.take(of("b"));
    slots.take(of("b"));
    release();
    release();
    slots.take(of("c"));
    expect(refusal(() => slots.take(of("d")))).toEqual([429, ["all: 4"], "5"]);
  });
});
