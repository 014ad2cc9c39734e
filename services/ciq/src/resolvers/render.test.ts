import { describe, expect, it } from "@jest/globals";
import type { StoredResolver } from "@ikg/catalog";
import fc from "fast-check";
import { ResolverFailure } from "./failure.ts";
import { ExternalReference } from "@ikg/query-rows";
import { render, type RenderedCall } from "./render.ts";
import { resolverTemplate } from "./template.ts";
import { valuesFor } from "./values.ts";

const referenceOf = (node: Readonly<Record<string, unknown>>): ExternalReference =>
  new ExternalReference({ resolver: "r", external_id: "car/2", type: "Car" }, "price", node);

const call = (
  stored: Partial<StoredResolver>,
  inputParams: Readonly<Record<string, unknown>> = {},
  node: Readonly<Record<string, unknown>> = {},
): RenderedCall => {
  const template = resolverTemplate({
    id: "gid:r",
    name: "r",
    version: 1,
    url: "https://api.example/",
    method: "POST",
    headers: {},
    payload: undefined,
    selector: ".",
    ...stored,
  });
  return render(template, valuesFor({ inputParams, applicationId: "gid:app" }, referenceOf(node)));
};
const urlOf = (url: string, params?: Readonly<Record<string, unknown>>): string => call({ url }, params).url;
const headerOf = (value: string, params?: Readonly<Record<string, unknown>>): string =>
  call({ headers: { "X-A": [value] } }, params).headers["X-A"]?.[0] ?? "";
const bodyOf = (payload: string, params?: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(call({ payload }, params).body ?? "");

const reasonOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof ResolverFailure) return error.reason;
    throw error;
  }
  throw new Error("nothing failed");
};

const base = "https://api.example";

describe("values of a call", () => {
  it("come from the parameters, from the node, and from the platform, which no request overrides", () => {
    const params = { a: "x", _externalId: "mine", _nodeType: "mine", _propertyType: "mine", _appId: "mine" };
    const url = `${base}/{$a}/{$_nodeType}/{$_externalId}/{$_propertyType}?app={$_appId}`;
    expect(urlOf(url, params)).toBe(`${base}/x/Car/car%2F2/price?app=gid%3Aapp`);
  });

  it("never come from a token, or from what every object has", () => {
    const params = { token: { sub: "s" }, request: "r" };
    for (const name of ["token", "request", "constructor", "toString", "hasOwnProperty"]) {
      expect(reasonOf(() => urlOf(`${base}/{$${name}}`, params))).toBe("missing_param");
      expect(urlOf(`${base}/{$${name} || d}`, params)).toBe(`${base}/d`);
    }
  });

  it.each([[undefined], [null]])("%p is missing, and its default stands in", (value) => {
    expect(reasonOf(() => urlOf(`${base}/?a={$a}`, { a: value }))).toBe("missing_param");
    expect(urlOf(`${base}/?a={$a || b c}`, { a: value })).toBe(`${base}/?a=b%20c`);
    expect(urlOf(`${base}/?a={$a ||}`, { a: value })).toBe(`${base}/?a=`);
  });

  it.each([
    [0, "0"],
    [-1.5, "-1.5"],
    [1e21, "1e%2B21"],
    [false, "false"],
    ["", ""],
  ])("%p is the text %s", (value, text) => {
    expect(urlOf(`${base}/?a={$a || d}`, { a: value })).toBe(`${base}/?a=${text}`);
  });

  it.each([[["a"]], [{ a: 1 }], ["\ud800"]])("%p has no text", (value) => {
    expect(reasonOf(() => urlOf(`${base}/?a={$a || d}`, { a: value }))).toBe("missing_param");
    expect(reasonOf(() => headerOf("{$a || d}", { a: value }))).toBe("missing_param");
    expect(reasonOf(() => bodyOf('"x{$a || d}"', { a: value }))).toBe("missing_param");
  });
});

describe("addresses", () => {
  it.each([
    ["../admin", "..%2Fadmin"],
    ["a/b", "a%2Fb"],
    ["a\\b", "a%5Cb"],
    ["?x=1#y", "%3Fx%3D1%23y"],
    ["a&b=c", "a%26b%3Dc"],
    ["%2e%2e", "%252e%252e"],
    ["a\r\nHost: b", "a%0D%0AHost%3A%20b"],
    ["@evil.example", "%40evil.example"],
    ["ü😀", "%C3%BC%F0%9F%98%80"],
    ["'\"<>", "'%22%3C%3E"],
    ["...", "..."],
  ])("take %j as %s", (value, text) => {
    expect(urlOf(`${base}/v/{$a}/x?q={$a}`, { a: value })).toBe(`${base}/v/${text}/x?q=${text}`);
  });

  it.each([
    ["/v/{$a}/x", { a: ".." }],
    ["/v/{$a}/x", { a: "." }],
    ["/v/{$a}/x", { a: "" }],
    ["/v/{$a}", { a: "" }],
    ["/v/{$a}{$b}/x", { a: ".", b: "." }],
    ["/v/.{$a}/x", { a: "." }],
    ["/v/%2e{$a}/x", { a: "." }],
    ["/v/%2E{$a}?q", { a: "" }],
    ["/{$a || ..}", {}],
  ])("%s with %j would lead elsewhere", (path, params) => {
    expect(reasonOf(() => urlOf(base + path, params))).toBe("missing_param");
  });

  it("may hold what looks like a step beside something else, and empty values in the query", () => {
    expect(urlOf(`${base}/v{$a}/..b{$a}?q={$a}`, { a: "" })).toBe(`${base}/v/..b?q=`);
  });

  it("never leave their host and their path, whatever the values are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        let text: string;
        try {
          text = urlOf(`${base}/one/{$a}/two/{$b}-x?q={$a}&r={$b}`, { a, b });
        } catch (error) {
          expect(error).toBeInstanceOf(ResolverFailure);
          return;
        }
        const url = new URL(text);
        expect(url.origin).toBe(base);
        expect(url.pathname.split("/").map(decodeURIComponent)).toEqual(["", "one", a, "two", `${b}-x`]);
        expect([...url.searchParams]).toEqual([
          ["q", a],
          ["r", b],
        ]);
      }),
    );
  });

  it("are not longer than servers read", () => {
    expect(reasonOf(() => urlOf(`${base}/{$a}`, { a: "a".repeat(20_000) }))).toBe("limit_exceeded");
  });
});

describe("headers", () => {
  it("take visible ASCII", () => {
    expect(headerOf("Bearer {$a} {$b || none}", { a: 'a "b"' })).toBe('Bearer a "b" none');
  });

  it.each(["a\r\nX: y", "a\n", "\0", "\t", "ü", "\u2028", "\x7f"])("%j is no part of any", (a) => {
    expect(reasonOf(() => headerOf("x {$a}", { a }))).toBe("missing_param");
  });

  it("are 1,024 characters at most", () => {
    expect(headerOf("{$a}", { a: "a".repeat(1024) })).toHaveLength(1024);
    expect(reasonOf(() => headerOf("{$a}", { a: "a".repeat(1025) }))).toBe("missing_param");
  });

  it("have all their values, but those that the exchange decides", () => {
    const headers = { "X-A": ["1", "{$a}"], "content-type": ["text/plain"], ACCEPT: ["*/*"] };
    expect(call({ headers }, { a: 2 }).headers).toEqual({ "X-A": ["1", "2"] });
  });
});

describe("payloads", () => {
  it("take typed values where a string is nothing but a placeholder", () => {
    const payload = '{"a":"{$a}","b":"$a","c":"x {$a}","d":["{$t}",{"e":"$t"}],"f":"{$n || 5}"}';
    expect(bodyOf(payload, { a: 5, t: true })).toEqual({
      a: 5,
      b: 5,
      c: "x 5",
      d: [true, { e: true }],
      f: "5",
    });
    expect(bodyOf('["$a"]', { a: ["x", 1, false] })).toEqual([["x", 1, false]]);
    expect(bodyOf('"$_externalId"')).toBe("car/2");
  });

  it("hold every value in its place", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (a) => {
        const payload = '{"a":"{$a}","b":"<{$a}>","{$a}":{"c":["$a"]}}';
        expect(bodyOf(payload, { a })).toEqual({ a, b: `<${a}>`, "{$a}": { c: [a] } });
      }),
    );
    expect(bodyOf('{"a":"{$a}"}', { a: '","admin":true,"x":"' })).toEqual({ a: '","admin":true,"x":"' });
  });

  it("send numbers as they were written", () => {
    const payload = '{"a":12345678901234567890.10,"b":"$b","__proto__":1e400}';
    expect(call({ payload }, { b: 1 }).body).toBe('{"a":12345678901234567890.10,"b":1,"__proto__":1e400}');
  });

  it("go with every method but GET", () => {
    expect(call({ method: "GET", payload: '"$absent"' }).body).toBeUndefined();
    for (const method of ["POST", "PUT", "PATCH"] as const)
      expect(call({ method, payload: "{}" }).body).toBe("{}");
  });

  it("want what has no default", () => {
    for (const payload of ['"$a"', '"{$a}"', '"x{$a}"', '{"b":["$a"]}'])
      expect(reasonOf(() => call({ payload }, { a: null }))).toBe("missing_param");
  });
});

describe("values of the node", () => {
  type Node = Readonly<Record<string, unknown>>;
  const url = `${base}/at/{$node.property.a}/x?q={$node.property.a}`;

  it("are its properties, its external id and its type, which no parameter overrides", () => {
    const params = { node: "mine", "node.property.a": "mine", "node.type": "mine", a: "mine" };
    const text = `${base}/{$node.type}/{$node.external_id}/{$node.property.a}?b={$node.property.b || none}&n={$node}`;
    expect(call({ url: text }, params, { a: 59.33 }).url).toBe(`${base}/Car/car%2F2/59.33?b=none&n=mine`);
  });

  it("are those of properties whose names are fields of the platform, too", () => {
    const text = `${base}/{$node.property.type}/{$node.property._key}`;
    expect(call({ url: text }, {}, { type: "Car", "_p.type": "t", _key: "hidden", "_p._key": "k" }).url).toBe(
      `${base}/t/k`,
    );
  });

  it.each<[string, Node]>([
    ["none", {}],
    ["null", { a: null }],
    ["one that a resolver knows", { "a.external_value": "other" }],
    ["a list, where a text is wanted", { a: ["x"] }],
    ["half a character", { a: "\ud800" }],
  ])("%s is missing", (_name, node) => {
    expect(reasonOf(() => call({ url }, {}, node))).toBe("missing_param");
    expect(reasonOf(() => call({ headers: { "X-A": ["{$node.property.a}"] } }, {}, node))).toBe(
      "missing_param",
    );
    expect(reasonOf(() => call({ payload: '"at {$node.property.a}"' }, {}, node))).toBe("missing_param");
  });

  it("never come from what every object has", () => {
    for (const name of ["constructor", "toString", "__proto__"])
      expect(reasonOf(() => call({ url: `${base}/{$node.property.${name}}` }, {}, {}))).toBe("missing_param");
  });

  it("have their type in payloads, and stay in their place", () => {
    const payload = '{"a":"$node.property.a","b":"{$node.property.a}","c":"<{$node.property.t}>"}';
    const node = { a: [1.5, 2], t: '","admin":true,"x":"' };
    expect(JSON.parse(call({ payload }, {}, node).body ?? "")).toEqual({
      a: [1.5, 2],
      b: [1.5, 2],
      c: `<${node.t}>`,
    });
  });

  it("end no line of a header", () => {
    for (const a of ["x\r\nHost: evil.example", "x\n", "x\r", "\0"])
      expect(reasonOf(() => call({ headers: { "X-A": ["{$node.property.a}"] } }, {}, { a }))).toBe(
        "missing_param",
      );
  });

  it("never change scheme, host, port or path, whatever they are", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "@evil.example",
        "//evil.example/",
        "\\evil.example",
        "..",
        "%2e%2e",
        "?x",
        "#y",
        ":81",
      ),
      fc.webUrl(),
    );
    fc.assert(
      fc.property(hostile, (a) => {
        let text: string;
        try {
          text = call({ url }, {}, { a }).url;
        } catch (error) {
          expect(error).toBeInstanceOf(ResolverFailure);
          return;
        }
        const parsed = new URL(text);
        expect([parsed.origin, parsed.username, parsed.hash]).toEqual([base, "", ""]);
        expect(parsed.pathname.split("/").map(decodeURIComponent)).toEqual(["", "at", a, "x"]);
        expect([...parsed.searchParams]).toEqual([["q", a]]);
      }),
    );
  });

  it("make no payload that is longer than one may be", () => {
    const payload = JSON.stringify(Array.from({ length: 2_000 }, () => "{$node.property.a}"));
    expect(reasonOf(() => call({ payload }, {}, { a: "a".repeat(65_536) }))).toBe("limit_exceeded");
    expect(call({ payload }, {}, { a: "a".repeat(100) }).body).toHaveLength(2_000 * 103 + 1);
  });
});
