import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { headerNameFault, parseHeaderTemplate } from "./header-template.ts";
import { isTooDeep } from "./json-depth.ts";
import { parsePayloadTemplate } from "./payload-template.ts";
import { type Parsed, parsePieces } from "./placeholder.ts";
import { parseUrlTemplate } from "./url-template.ts";

const faultOf = (result: Parsed<unknown>): string | undefined => (result.ok ? undefined : result.fault);
const form = "a placeholder is written {$name} or {$name || default}";
const formOfNode =
  "a value of the node is written {$node.property.name}, {$node.external_id} or {$node.type}, each also with a default: {$node.property.name || default}";

describe("placeholders", () => {
  it.each([
    ["{$a}", [{ name: "a", default: undefined }]],
    ["{$_externalId}", [{ name: "_externalId", default: undefined }]],
    ["x{$a||b}y", ["x", { name: "a", default: "b" }, "y"]],
    ["{$a   ||   b c  }", [{ name: "a", default: "b c" }]],
    ["{$a||}", [{ name: "a", default: "" }]],
    ["{$a || b || c}", [{ name: "a", default: "b || c" }]],
    [
      "{$a}{$b}",
      [
        { name: "a", default: undefined },
        { name: "b", default: undefined },
      ],
    ],
    ["{ $a} $a {a} }{", ["{ $a} $a {a} }{"]],
    [`{$${"a".repeat(64)}}`, [{ name: "a".repeat(64), default: undefined }]],
    ["{$node}", [{ name: "node", default: undefined }]],
    [
      "{$node.external_id}/{$node.type}",
      [{ name: "node.external_id", default: undefined }, "/", { name: "node.type", default: undefined }],
    ],
    ["{$node.property.latitude || 0}", [{ name: "node.property.latitude", default: "0" }]],
    [
      `{$node.property._${"a".repeat(127)}}`,
      [{ name: `node.property._${"a".repeat(127)}`, default: undefined }],
    ],
    ["", []],
  ])("%s", (text, pieces) => {
    expect(parsePieces(text)).toEqual({ ok: true, value: pieces });
  });

  it.each([
    "{$",
    "{$}",
    "{$a",
    "{$a || b",
    "{$a || {b}}",
    "{$a || {$b}}",
    "{$ a}",
    "{$a }",
    "{$a|b}",
    "{$1a}",
    "{$__a}",
    "{$token.sub}",
    "{$a-b}",
    "{$ä}",
    "{${a}}",
    `{$${"a".repeat(65)}}`,
    "fine {$a} not {$",
  ])("%s is refused", (text) => {
    expect(faultOf(parsePieces(text))).toBe(form);
  });

  it.each([
    "{$node.latitude}",
    "{$node.property}",
    "{$node.property.}",
    "{$node.property.a.b}",
    "{$node.property.a.metadata.source}",
    "{$node.property.1a}",
    "{$node.id}",
    "{$node.external_id.x}",
    "{$node.}",
    "{$node.property.a",
    `{$node.property.${"a".repeat(129)}}`,
  ])("%s names nothing of a node", (text) => {
    expect(faultOf(parsePieces(`x${text}`))).toBe(formOfNode);
    expect(faultOf(parseUrlTemplate(`https://x.example/${text}`))).toBe(formOfNode);
    expect(faultOf(parseHeaderTemplate(text))).toBe(formOfNode);
    expect(faultOf(parsePayloadTemplate(JSON.stringify({ a: [text] })))).toBe(formOfNode);
  });

  it("of a node are written without braces where they are all of a string in a payload", () => {
    expect(parsePayloadTemplate('"$node.property.latitude"')).toEqual({
      ok: true,
      value: { kind: "value", placeholder: { name: "node.property.latitude", default: undefined } },
    });
    for (const text of ["$node.latitude", "$node.", "$node.property", "$node.property.a.b"])
      expect(faultOf(parsePayloadTemplate(JSON.stringify(text)))).toBe(formOfNode);
    for (const text of ["$.node.latitude", "$nodes.latitude", "$node.latitude + 1", "US$node.x"])
      expect(parsePayloadTemplate(JSON.stringify(text))).toEqual({
        ok: true,
        value: { kind: "json", text: JSON.stringify(text) },
      });
  });

  it("lose nothing of any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const plain = text.replaceAll(/\{\$+/g, "{");
        expect(parsePieces(plain)).toEqual({ ok: true, value: plain === "" ? [] : [plain] });
      }),
    );
  });
});

describe("addresses with placeholders", () => {
  it("are split into origin, segments and query", () => {
    expect(parseUrlTemplate("HTTPS://api.example:8443/v1/{$a}-x/?q={$b || /?#}&r=a/b")).toEqual({
      ok: true,
      value: {
        origin: "HTTPS://api.example:8443",
        segments: [["v1"], [{ name: "a", default: undefined }, "-x"], []],
        query: ["?q=", { name: "b", default: "/?#" }, "&r=a/b"],
      },
    });
    const { value } = parseUrlTemplate("http://[::1]:80/{$a}{$b}/c") as { value: { segments: unknown } };
    expect(value.segments).toEqual([[{ name: "a" }, { name: "b" }], ["c"]]);
    expect(parseUrlTemplate("http://x.example")).toMatchObject({ value: { segments: [], query: [] } });
    expect(parseUrlTemplate("http://x.example?{$a}")).toMatchObject({ value: { segments: [] } });
  });

  it.each([
    ["https://{$h}/", "placeholders may stand in path and query only"],
    ["https://a.{$h}.example/", "placeholders may stand in path and query only"],
    ["https://a.example{$h}", "placeholders may stand in path and query only"],
    ["https://a.example:{$p}/", "placeholders may stand in path and query only"],
    ["https://{$u}@a.example/", "placeholders may stand in path and query only"],
    ["{$s}://a.example/", "http or https URL expected"],
    ["{$url || https://a.example}", "http or https URL expected"],
    ["https://u:p@a.example/", "must not contain a user name or password"],
    ["https://@a.example/", "must not contain a user name or password"],
    ["https://a.example/#x", "no fragment"],
    ["https://a.example#", "no fragment"],
    ["https://a.example/{$a}#{$b}", "no fragment"],
    ["https://a.example/{$a", form],
    ["https://a.example/a b", "no spaces, control characters or backslashes"],
    ["https://a.example/a\nb", "no spaces, control characters or backslashes"],
    ["https://a.example/{$a}\\..", "no spaces, control characters or backslashes"],
    ["https://a.example\\@b.example/", "no spaces, control characters or backslashes"],
    [" https://a.example/", "http or https URL expected"],
    ["https:/a.example/", "http or https URL expected"],
    ["https:///a", "http or https URL expected"],
    ["https://a.example:99999/", "http or https URL expected"],
    ["ftp://a.example/", "http or https URL expected"],
    ["javascript:alert(1)", "http or https URL expected"],
    ["//a.example/", "http or https URL expected"],
    ["/path", "http or https URL expected"],
  ])("%s is refused", (url, fault) => {
    expect(faultOf(parseUrlTemplate(url))).toBe(fault);
  });
});

describe("headers", () => {
  it.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "CONNECTION",
    "Upgrade",
    "TE",
    "Trailer",
    "Keep-Alive",
    "Proxy-Authorization",
    "proxy-x",
    "Accept-Encoding",
    "Expect",
    "a b",
    "a:b",
    "a\r\nb",
    "",
    "ä",
  ])("no header %j", (name) => {
    expect(headerNameFault(name)).toBeDefined();
  });

  it.each(["Authorization", "Cookie", "Content-Type", "Accept", "X-1", "Proxied"])("a header %s", (name) => {
    expect(headerNameFault(name)).toBeUndefined();
  });

  it("have values that every server can read", () => {
    expect(parseHeaderTemplate("Bearer {$key || none}")).toMatchObject({ ok: true });
    for (const text of ["ü", "a\tb", "a\r\nb: c", "{$a || ü}", "\0"]) {
      expect(faultOf(parseHeaderTemplate(text))).toBe("visible ASCII characters and spaces only");
    }
    expect(faultOf(parseHeaderTemplate("{$a"))).toBe(form);
  });
});

describe("payloads", () => {
  it("are JSON whose strings may hold placeholders", () => {
    const text = '{"a":"{$x}","b":["$y","z {$x || 1}"],"{$k}":1e400,"c":"$5","d":null,"e":{}}';
    expect(parsePayloadTemplate(text)).toEqual({
      ok: true,
      value: {
        kind: "object",
        members: [
          ["a", { kind: "value", placeholder: { name: "x", default: undefined } }],
          [
            "b",
            {
              kind: "array",
              items: [
                { kind: "value", placeholder: { name: "y", default: undefined } },
                { kind: "text", pieces: ["z ", { name: "x", default: "1" }] },
              ],
            },
          ],
          ["{$k}", { kind: "json", text: "1e400" }],
          ["c", { kind: "json", text: '"$5"' }],
          ["d", { kind: "json", text: "null" }],
          ["e", { kind: "object", members: [] }],
        ],
      },
    });
  });

  it("keep numbers and members of any name as they are written", () => {
    expect(parsePayloadTemplate('{"__proto__":12345678901234567890.10}')).toMatchObject({
      value: { members: [["__proto__", { text: "12345678901234567890.10" }]] },
    });
  });

  it.each([
    ["{", "JSON expected"],
    ["p", "JSON expected"],
    ['{"a":{$x}}', "JSON expected"],
    ["{'a':1}", "JSON expected"],
    ['{"a":"{$x"}', form],
    ['["{$ok}",{"a":"{\\u0024x"}]', form],
    [`${"[".repeat(65)}${"]".repeat(65)}`, "JSON of at most 64 levels expected"],
    ["[".repeat(60_000), "JSON of at most 64 levels expected"],
  ])("%.30s is refused", (text, fault) => {
    expect(faultOf(parsePayloadTemplate(text))).toBe(fault);
  });

  it("count levels outside of strings", () => {
    expect(isTooDeep(`"${"[".repeat(100)}\\"${"[".repeat(100)}"`)).toBe(false);
    expect(isTooDeep("[{}],".repeat(1000))).toBe(false);
    expect(isTooDeep(`${'{"a":'.repeat(64)}1${"}".repeat(64)}`)).toBe(false);
  });
});
