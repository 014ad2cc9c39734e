import { describe, expect, it } from "@jest/globals";
import { draftOf, fieldsOf, inOtherMode, isSameDraft, newDraft, textOf } from "./draft.ts";
import { effectsOf, formOfText, invalidFields, textOfForm } from "./query-form.ts";
import { readableText } from "./readable.ts";

const query = {
  nodes: ["a.external_id"],
  aggregate_values: ["count"],
  filter: [{ attribute: "a.external_id", operator: "=", value: "$a" }],
  upsert_nodes: [{ name: "b", type: "B", external_id: "$b" }],
  delete_nodes: ["a.property.x"],
  batch_read: true,
};
const record = {
  name: "q",
  display_name: "q",
  status: "ACTIVE" as const,
  policy_id: "gid:p",
  query: JSON.stringify(query),
};

describe("the form of a query", () => {
  it.each([[query], [{ nodes: ["a"] }], [{}], [{ filter: { operator: "NOT", operands: [] } }]])(
    "holds %j without a loss",
    (value) => {
      const form = formOfText(JSON.stringify(value));
      expect(JSON.parse((form && textOfForm(form)) ?? "null")).toEqual(value);
    },
  );

  it.each([
    ["no JSON", "{"],
    ["no object", "[1]"],
    ["a member that it has no field for", '{"nodes": [], "note": 1}'],
    ["a path that is no text", '{"nodes": [3]}'],
    ["batch_read of another value", '{"nodes": ["a"], "batch_read": false}'],
    ["a prototype's name", '{"__proto__": {"nodes": []}}'],
  ])("is none for %s", (_what, text) => {
    expect(formOfText(text)).toBeUndefined();
    expect(draftOf({ ...record, query: text }).text).toEqual({ mode: "json", json: text });
  });

  it("says which fields are no JSON, and is no text meanwhile", () => {
    const form = formOfText(record.query);
    if (form === undefined) throw new Error("no form");
    const broken = { ...form, upsert_nodes: "[" };
    expect(Object.keys(invalidFields(broken))).toEqual(["upsert_nodes"]);
    expect(textOfForm(broken)).toBeUndefined();
    expect(inOtherMode({ mode: "form", form: broken })).toBeUndefined();
  });
});

describe("what a query does", () => {
  it.each([
    [query, true, ["a.property.x"]],
    [{ nodes: ["a"] }, false, []],
    [{ upsert_relationships: [{}] }, true, []],
    [{ upsert_nodes: [], delete_nodes: [] }, false, []],
    [{ delete_relationships: ["r"] }, true, ["r"]],
  ])("%j", (value, writes, deletes) => {
    expect(effectsOf(JSON.stringify(value))).toEqual({ writes, deletes });
  });

  it("is nothing for what is no JSON", () => {
    expect(effectsOf("{")).toEqual({ writes: false, deletes: [] });
  });
});

describe("a draft of a query", () => {
  it("keeps its text from mode to mode, and says the same in both", () => {
    const draft = draftOf(record);
    const json = inOtherMode(draft.text);
    expect(json && inOtherMode(json)).toEqual(draft.text);
    expect(json && isSameDraft(draft, { ...draft, text: json })).toBe(true);
    expect(isSameDraft(draft, { ...draft, policyId: "gid:other" })).toBe(false);
    expect(JSON.parse(textOf(draft) ?? "null")).toEqual(query);
  });

  it("sends empty texts of what exists alone, which removes them", () => {
    expect(fieldsOf(draftOf(record), "{}", false)).toMatchObject({ display_name: "", description: "" });
    expect(fieldsOf({ ...newDraft("gid:p"), name: "new" }, "{}", true)).toEqual({
      name: "new",
      policy_id: "gid:p",
      query: "{}",
      status: "ACTIVE",
    });
  });
});

describe("a query in lines", () => {
  it("names its policy, and has its JSON in lines", () => {
    const text = { ...record, query: '{"nodes":["a"]}' };
    expect(readableText(text, new Map([["gid:p", "may-read"]]))).toBe(
      'status: ACTIVE\npolicy: may-read\n\n{\n  "nodes": [\n    "a"\n  ]\n}\n',
    );
  });

  it("is its text where it is no JSON", () => {
    expect(readableText({ ...record, query: "<b>" }, new Map())).toBe(
      "status: ACTIVE\npolicy: gid:p\n\n<b>\n",
    );
  });
});
