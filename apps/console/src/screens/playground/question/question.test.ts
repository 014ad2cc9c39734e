import { describe, expect, it } from "@jest/globals";
import { lineOf, parseLines } from "./decision-line.ts";
import { draftOf, emptyDraft, playgroundSearch } from "./playground-search.ts";
import { parseDraft } from "./question.ts";

const decision = {
  ...emptyDraft,
  subject_type: "Person",
  subject: "ann",
  action: "READ",
  resource_type: "Book",
  resource: "atlas",
};

describe("the address of the playground", () => {
  it("keeps what it knows, as text, and nothing else", () => {
    const search = playgroundSearch({
      mode: "resources",
      subject: 12,
      action: "READ",
      token: "secret",
      key: "secret",
      lines: "",
    });
    expect(search).toEqual({ mode: "resources", subject: "12", action: "READ" });
    expect(draftOf(search)).toEqual({ ...emptyDraft, mode: "resources", subject: "12", action: "READ" });
  });

  it("takes texts that no address could have: half of a surrogate pair is replaced", () => {
    expect(playgroundSearch({ subject: "a\uD800" })).toEqual({ subject: "a\uFFFD" });
  });

  it.each(["nonsense", "__proto__", 3, undefined])("is a decision for the mode %j", (mode) => {
    expect(playgroundSearch({ mode })).toEqual({});
  });
});

describe("a draft", () => {
  it("is a question when nothing is missing", () => {
    expect(parseDraft({ ...decision, params: '{"limit": 3}', tags: "a, b,," })).toEqual({
      question: {
        mode: "decision",
        subject: { type: "Person", id: "ann" },
        action: "READ",
        resource: { type: "Book", id: "atlas" },
        params: { limit: 3 },
        tags: ["a", "b"],
      },
    });
  });

  it("says which fields are missing or wrong", () => {
    expect(parseDraft({ ...decision, subject: "", params: "[1]" })).toEqual({
      errors: { subject: "Required", params: 'Enter a JSON object, for example {"limit": 3}' },
    });
    expect(parseDraft({ ...emptyDraft, mode: "batch", lines: "# none\n" })).toEqual({
      errors: { lines: "Required" },
    });
  });
});

describe("lines of a batch", () => {
  it("are questions, with quotes where an id has blanks", () => {
    expect(parseLines('# people\n\nPerson ann may READ Book "the atlas" {"limit": 3}\n')).toEqual([
      {
        subject: { type: "Person", id: "ann" },
        action: "READ",
        resource: { type: "Book", id: "the atlas" },
        params: { limit: 3 },
      },
    ]);
  });

  it.each([
    "ann may READ Book atlas",
    "Person ann READ Book atlas",
    "Person ann may READ Book a b",
    'Person "a may',
  ])("%j is refused with its number", (line) => {
    expect(() => parseLines(`Person a may b C d\n${line}`)).toThrow("Line 2: ");
  });

  it.each([
    "ann",
    "a b",
    'q"uote',
    "back\\slash",
    "{brace}",
    "may",
    "not",
    "#",
    "nul\u0000",
    "rtl\u202E",
    "😀",
    "line\nend",
  ])("hold the id %j", (id) => {
    const question = { subject: { type: "Person", id }, action: "READ", resource: { type: "Book", id } };
    expect(parseLines(lineOf(question))).toEqual([{ ...question, params: undefined }]);
  });
});
