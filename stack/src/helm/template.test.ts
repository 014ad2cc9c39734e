import { describe, expect, it } from "@jest/globals";
import { Block, Expression, included, printTemplate, within } from "./template.ts";

describe("the text of a template", () => {
  it("is YAML where nothing is computed", () => {
    const tree = {
      a: 1,
      b: { c: "true", o: "off", d: ["x", { e: null, f: [] }] },
      g: "two\nlines\n",
      h: {},
      i: ["sh", "one\ntwo\n"],
    };
    expect(printTemplate(tree)).toBe(`a: 1
b:
  c: "true"
  o: "off"
  d:
    - x
    - e: null
      f: []
g: |
  two
  lines
h: {}
i:
  - sh
  - |
    one
    two
`);
  });

  it("has actions for values, blocks, entries and items", () => {
    const tree = {
      a: new Expression(".Values.a"),
      b: new Block("toYaml .Values.b"),
      c: { d: "x", ...within("if .Values.e", { e: { f: "v" } }), ...included('include "labels" .') },
      g: [{ h: "z" }, within("with .Values.i", [{ i: new Expression(".") }]), included("toYaml .Values.j")],
    };
    expect(printTemplate(tree)).toBe(`a: {{ .Values.a }}
b:
  {{- toYaml .Values.b | nindent 2 }}
c:
  d: x
  {{- if .Values.e }}
  e:
    f: v
  {{- end }}
  {{- include "labels" . | nindent 2 }}
g:
  - h: z
  {{- with .Values.i }}
  - i: {{ . }}
  {{- end }}
  {{- toYaml .Values.j | nindent 2 }}
`);
  });

  it("refuses a text that Helm would evaluate", () => {
    expect(() => printTemplate({ a: "{{ $labels.instance }}" })).toThrow("Helm would evaluate");
    expect(() => printTemplate({ a: ["{{ $labels.instance }}"] })).toThrow("Helm would evaluate");
  });
});
