import { describe, expect, it } from "@jest/globals";
import type { IncomingHttpHeaders } from "node:http";
import { Socket } from "node:net";
import { clientBy } from "./client-address.ts";
import { trustedProxies, wrongEntry } from "./trusted-proxies.ts";

const client = (
  headers: IncomingHttpHeaders,
  { peer = "10.0.0.1", trusted = "10.0.0.0/8, 2001:db8::/32, 192.0.2.7" } = {},
) => {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: peer });
  return clientBy(trustedProxies(trusted))({ headers, socket });
};
const address = (...given: Parameters<typeof client>) => client(...given).address;
const xff = (value: string): IncomingHttpHeaders => ({ "x-forwarded-for": value });
const forwarded = (value: string): IncomingHttpHeaders => ({ forwarded: value });

describe("the address of a client", () => {
  it.each([
    ["of the connection, where there is no proxy", {}, { peer: "203.0.113.9" }, "203.0.113.9"],
    ["whatever the client of no proxy says", xff("198.51.100.1"), { peer: "203.0.113.9" }, "203.0.113.9"],
    ["where no peer is trusted", xff("198.51.100.1"), { trusted: "" }, "10.0.0.1"],
    ["of the proxy, where it says nothing", {}, {}, "10.0.0.1"],
    ["the one that the proxy saw", xff("198.51.100.1"), {}, "198.51.100.1"],
    ["the right-most one that is not trusted", xff("1.1.1.1, 198.51.100.1, 10.2.3.4"), {}, "198.51.100.1"],
    ["the left-most one where all are trusted", xff("10.9.9.9, 10.2.3.4"), {}, "10.9.9.9"],
    ["of IPv6", xff("2001:db9::5"), { peer: "2001:db8::1" }, "2001:db9::5"],
    [
      "of a proxy that comes mapped into IPv6",
      xff("198.51.100.1"),
      { peer: "::ffff:10.0.0.1" },
      "198.51.100.1",
    ],
    ["with a port", xff("198.51.100.1:4711"), {}, "198.51.100.1"],
    ["of the proxy that hides its client", xff("198.51.100.1, unknown"), {}, "10.0.0.1"],
    ["never text of a client", xff("<script>, 198.51.100.1"), {}, "198.51.100.1"],
    ["of the proxy for an empty entry", xff("198.51.100.1,"), {}, "10.0.0.1"],
    ["of Forwarded", forwarded("for=198.51.100.1;proto=https;by=10.0.0.1"), {}, "198.51.100.1"],
    ["of several in it", forwarded('for=1.1.1.1, For="[2001:db9::5]:47", for=10.1.1.1'), {}, "2001:db9::5"],
    ["with quoted commas", forwarded('for=1.1.1.1;host="a,b;c", for=198.51.100.1'), {}, "198.51.100.1"],
    ["hidden in it", forwarded("for=1.1.1.1, for=_hidden"), {}, "10.0.0.1"],
    ["left out in it", forwarded("proto=https"), {}, "10.0.0.1"],
    [
      "of both headers where they agree",
      { ...xff("1.1.1.1, 198.51.100.1"), ...forwarded("for=198.51.100.1") },
      {},
      "198.51.100.1",
    ],
    [
      "of the proxy where they disagree: one of them is the client's own",
      { ...xff("198.51.100.1"), ...forwarded("for=1.1.1.1") },
      {},
      "10.0.0.1",
    ],
  ])("is %s", (_name, headers, given, expected) => {
    expect(address(headers, given)).toBe(expected);
  });

  const buildHeaders = (
    proto: string,
    host: string,
    more: IncomingHttpHeaders = {},
  ): IncomingHttpHeaders => ({
    "x-forwarded-proto": proto,
    "x-forwarded-host": host,
    ...more,
  });
  it.each([
    [
      "of no proxy: nothing",
      buildHeaders("https", "ikg.example"),
      { peer: "203.0.113.9" },
      undefined,
      undefined,
    ],
    ["of one", buildHeaders("https", "ikg.example", xff("198.51.100.1")), {}, "https", "ikg.example"],
    [
      "of one that reports no address",
      buildHeaders("HTTPS", "ikg.example:8443"),
      {},
      "https",
      "ikg.example:8443",
    ],
    [
      "of the outermost trusted one, where each adds its own",
      buildHeaders(
        "http, https, http",
        "forged.example, ikg.example, inner",
        xff("1.1.1.1, 198.51.100.1, 10.2.3.4"),
      ),
      {},
      "https",
      "ikg.example",
    ],
    [
      "the last word, where they cannot be told apart",
      buildHeaders("http, https", "forged.example, ikg.example", xff("198.51.100.1")),
      {},
      "https",
      "ikg.example",
    ],
    [
      "of Forwarded",
      forwarded('for=1.1.1.1;proto=http;host=forged, for=198.51.100.1;Proto=https;host="ikg.example:443"'),
      {},
      "https",
      "ikg.example:443",
    ],
    ["of one that hides its client", forwarded("for=unknown;proto=https"), {}, "https", undefined],
    [
      "none where the two families disagree",
      {
        ...buildHeaders("https", "a", xff("198.51.100.1")),
        ...forwarded("for=198.51.100.1;proto=http;host=b"),
      },
      {},
      undefined,
      undefined,
    ],
    [
      "none that is none",
      buildHeaders("javascript", "a b/<x>", xff("198.51.100.1")),
      {},
      undefined,
      undefined,
    ],
  ])("comes with the scheme and the host %s", (_name, headers, given, scheme, host) => {
    expect(client(headers, given)).toMatchObject({ scheme, host });
  });

  it("is found in time, whatever is sent", () => {
    for (const text of [
      '"'.repeat(15_000),
      'for="\\'.repeat(2_500),
      ",".repeat(15_000),
      ";=".repeat(7_000),
      `for=1${" ".repeat(15_000)}x`,
    ]) {
      const since = performance.now();
      address(forwarded(text));
      address(xff(text));
      expect(performance.now() - since).toBeLessThan(50);
    }
  });
});

describe("trusted proxies", () => {
  it.each(["", "10.0.0.1", "10.0.0.0/8", " 10.0.0.1 , 2001:db8::/32 ,", "::1"])("may be %j", (text) => {
    expect(wrongEntry(text)).toBeUndefined();
  });

  it.each([
    ["proxy.example", "proxy.example"],
    ["10.0.0.1, 10.0.0.0/33", "10.0.0.0/33"],
    ["10.0.0.0/", "10.0.0.0/"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["10.0.0.0/8/8", "10.0.0.0/8/8"],
    ["2001:db8::/129", "2001:db8::/129"],
    ["*", "*"],
  ])("may not be %j", (text, entry) => {
    expect(wrongEntry(text)).toBe(entry);
  });
});
