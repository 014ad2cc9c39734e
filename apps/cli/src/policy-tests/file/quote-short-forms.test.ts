import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { quoteShortForms } from "./quote-short-forms.ts";

const read = (text: string): unknown => parse(quoteShortForms(text).text);

describe("short forms with braces", () => {
  it.each([
    ["- Pilot amelia {hours: 1200} identity", ["Pilot amelia {hours: 1200} identity"]],
    ['- Pilot amelia {a: 1, b: "x: #y", c: O\'Neil}  # why', ['Pilot amelia {a: 1, b: "x: #y", c: O\'Neil}']],
    ["- A a -IS {since: 1}-> B b\n- C c {x: 1}", ["A a -IS {since: 1}-> B b", "C c {x: 1}"]],
    ["- A a {x: {y: 1},\n     z: 2}\n- B b", ["A a {x: {y: 1}, z: 2}", "B b"]],
    ["- A a {x: 1\n- B b {y: 2}", ["A a {x: 1", "B b {y: 2}"]],
  ])("are texts: %j", (text, expected) => expect(read(text)).toEqual(expected));

  it.each([
    "- name: step-up {is: asked for}",
    "- { query: x, expect: { rows: [] } }",
    "cypher: |\n  - (a {b: c})\n  x {y: z}\n",
    "- 'A a {x: 1}'",
    '["A a {x: 1}"]',
  ])("leave everything else as it is: %j", (text) => expect(quoteShortForms(text).text).toBe(text));
});
