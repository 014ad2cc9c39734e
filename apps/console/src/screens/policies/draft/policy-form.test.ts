import { describe, expect, it } from "@jest/globals";
import { draftOf, fieldsOf, inMode, newDraft, textOf } from "./draft.ts";
import { isSameJson } from "../../../text/json.ts";
import { formOfText, invalidFields, textOfForm } from "./policy-form.ts";
import { readableText } from "./readable.ts";

const decisions = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Pilot" },
  actions: ["FLY"],
  resource: { type: "Aircraft" },
  condition: {
    cypher: "MATCH (subject)-[:OWNS]->(resource)",
    filter: { attribute: "$a", operator: "IS NULL" },
  },
};
const queries = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Pilot" },
  condition: { cypher: "MATCH (subject:Pilot)", token_filter: [] },
  allowed_reads: { nodes: ["subject.external_id"] },
};
const record = {
  name: "may-fly",
  display_name: "may-fly",
  status: "ACTIVE" as const,
  tags: ["safety"],
  policy: JSON.stringify(decisions),
};

describe("the form of a policy", () => {
  it.each([
    ["decisions", decisions],
    ["queries", queries],
  ])("holds one for %s without a loss", (kind, policy) => {
    const form = formOfText(JSON.stringify(policy));
    expect(form?.kind).toBe(kind);
    const text = form === undefined ? undefined : textOfForm(form);
    expect(JSON.parse(text ?? "null")).toEqual(policy);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[1]"],
    ["a member that it has no field for", JSON.stringify({ ...decisions, note: "x" })],
    ["a type that is no text", JSON.stringify({ ...decisions, subject: { type: 3 } })],
    ["a prototype's name", '{"__proto__": {"meta": 1}}'],
    ["lists of queries in a policy for decisions", JSON.stringify({ ...decisions, allowed_reads: {} })],
  ])("is none for %s", (_what, text) => {
    expect(formOfText(text)).toBeUndefined();
    expect(draftOf({ ...record, policy: text }).rule).toEqual({ mode: "json", json: text });
  });

  it("says which fields are no JSON, and is no text meanwhile", () => {
    const form = formOfText(JSON.stringify(decisions));
    if (form === undefined) throw new Error("no form");
    const broken = { ...form, filter: "{" };
    expect(Object.keys(invalidFields(broken))).toEqual(["filter"]);
    expect(textOfForm(broken)).toBeUndefined();
    expect(inMode({ mode: "form", form: broken }, "json")).toBeUndefined();
  });

  it.each(["[]", "5", '"allowed_reads"', "null"])(
    "does not leave out what queries are allowed where it is no object: %s",
    (allowed) => {
      const form = formOfText(JSON.stringify(queries));
      if (form === undefined) throw new Error("no form");
      expect(invalidFields({ ...form, allowed }).allowed).toContain("Enter a JSON object");
      expect(textOfForm({ ...form, allowed })).toBeUndefined();
      expect(textOfForm({ ...form, allowed: " " })).toBeDefined();
    },
  );

  it("is not hindered by fields of another kind, which it does not show", () => {
    const form = formOfText(JSON.stringify(decisions));
    if (form === undefined) throw new Error("no form");
    const text = textOfForm({ ...form, tokenFilter: "{", allowed: "[" });
    expect(JSON.parse(text ?? "null")).toEqual(decisions);
  });

  it("is compared whatever the order of members", () => {
    expect(isSameJson({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
    expect(isSameJson({ a: 1 }, { a: 1, b: undefined })).toBe(false);
    expect(isSameJson([1, 2], [2, 1])).toBe(false);
    expect(isSameJson({}, [])).toBe(false);
  });
});

describe("a draft", () => {
  it("keeps its rule from mode to mode", () => {
    const { rule } = draftOf(record);
    const json = inMode(rule, "json");
    expect(json && inMode(json, "form")).toEqual(rule);
  });

  it("sends empty texts of what exists alone, which removes them", () => {
    const draft = { ...draftOf({ ...record, display_name: "May fly" }), displayName: "" };
    expect(fieldsOf(draft, "{}", false)).toMatchObject({ display_name: "", description: "" });
    expect(fieldsOf({ ...newDraft, name: "new" }, "{}", true)).toEqual({
      name: "new",
      policy: "{}",
      status: "ACTIVE",
      tags: [],
    });
  });

  it("has a text", () => {
    expect(JSON.parse(textOf(draftOf(record)) ?? "null")).toEqual(decisions);
  });
});

describe("a policy in lines", () => {
  it("has its Cypher as it was written", () => {
    const policy = { ...decisions, condition: { cypher: "MATCH (subject)\nWHERE true" } };
    expect(readableText({ ...record, policy: JSON.stringify(policy) })).toBe(
      [
        "status: ACTIVE",
        "tags: safety",
        "language: 2.0-kbac",
        "subject: Pilot",
        "actions: FLY",
        "resource: Aircraft",
        "",
        "condition:",
        "MATCH (subject)",
        "WHERE true",
        "",
      ].join("\n"),
    );
  });

  it("is its text where it is no form", () => {
    expect(readableText({ ...record, tags: [], policy: "<b>" })).toBe("status: ACTIVE\n\n<b>\n");
  });
});
