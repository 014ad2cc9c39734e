import { describe, expect, it } from "@jest/globals";
import type { Simulation } from "@ikg/client";
import { draftOf, newDraft } from "../draft/draft.ts";
import { estimateText, joinPages, noInputs, putOf, questionOf, sentInputs, totalsOf } from "./impact-of.ts";

const example = (subject: string) => ({ subject, resource: "r", policies: ["p"] });
const page = (count: number, subject: string, exact: boolean): Simulation => ({
  complete: exact,
  milliseconds: 1,
  undetermined: [],
  questions: [
    {
      subject_type: "Person",
      action: "READ",
      resource_type: "Book",
      gained: { count, exact, examples: [example(subject)] },
      lost: { count: 1, exact: true, examples: [] },
      subjects: { examined: 1, of: 2 },
      method: "scan",
    },
  ],
});

describe("what a change would do", () => {
  it("has the counts of the last page and the examples of all", () => {
    const joined = joinPages([page(3, "ann", false), page(5, "bob", true)]);
    expect(joined?.questions[0]?.gained).toMatchObject({ count: 5, exact: true });
    expect(joined?.questions[0]?.gained.examples.map(({ subject }) => subject)).toEqual(["ann", "bob"]);
    expect(joined && totalsOf(joined)).toEqual({ gained: 5, lost: 1, isExact: true });
    expect(joinPages([])).toBeUndefined();
  });

  it("has an address of the playground for each example", () => {
    const [question] = page(1, "ann", true).questions;
    if (question === undefined) throw new Error("no question");
    expect(questionOf(question, example("ann"), '{"a":1}')).toEqual({
      subject_type: "Person",
      subject: "ann",
      action: "READ",
      resource_type: "Book",
      resource: "r",
      params: '{"a":1}',
    });
  });

  it("says how well a number is known", () => {
    expect(estimateText({ count: 12, exact: true })).toBe("12");
    expect(estimateText({ count: 1, exact: false, low: 0, high: 3 })).toBe("about 1 (0 to 3)");
  });
});

describe("the change of a draft", () => {
  it("needs a name and a text", () => {
    expect(putOf(newDraft)).toBeUndefined();
    const record = { name: "a", display_name: "a", status: "DRAFT" as const, tags: [], policy: "{" };
    expect(putOf(draftOf(record))).toMatchObject({ op: "put", name: "a", record: { policy: "{" } });
  });

  it("brings what is typed", () => {
    expect(sentInputs(noInputs)).toEqual({});
    expect(sentInputs({ params: '{"a":1}', claims: "{}", isSignedIn: true })).toEqual({
      input_params: { a: 1 },
      token: {},
      signed_in: true,
    });
    expect(() => sentInputs({ ...noInputs, params: "{" })).toThrow(SyntaxError);
  });
});
