import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "@jest/globals";
import { addressCheck, checkUrl, type EgressRules, guardedAddress, guardedLookup } from "./guard.ts";

const closed: EgressRules = { allowHttp: false, allowHosts: [], allowCidrs: [] };

describe("addresses", () => {
  it.each([
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "168.63.129.16",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "::7f00:1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "192.88.99.1",
    "192.0.0.1",
    "fec0::1",
    "100::1",
    "2001:2::1",
    "3fff::1",
    "4000::1",
    "2002:7f00:1::",
    "2001:0:1::1",
    "2001:db8::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "not an address",
  ])("%s is refused", (address) => {
    expect(addressCheck(closed)(address)).toBe(false);
  });

  it.each(["1.1.1.1", "8.8.8.8", "172.32.0.1", "2606:4700:4700::1111"])("%s is allowed", (address) => {
    expect(addressCheck(closed)(address)).toBe(true);
  });

  it("are opened by range, and nothing beside it", () => {
    const allowed = addressCheck({ ...closed, allowCidrs: ["127.0.0.0/8", "fd00::/16"] });
    expect(["127.0.0.1", "::ffff:127.0.0.1", "fd00::1"].map(allowed)).toEqual([true, true, true]);
    expect(["10.0.0.1", "fd01::1", "::1"].map(allowed)).toEqual([false, false, false]);
  });
});

describe("URLs", () => {
  it.each([
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "example.com",
    "https://localhost/",
    "https://a.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://localhost./",
    "https://intranet/",
    "https://127.0.0.1/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://017700000001/",
    "https://127.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://example.com:22/",
    "https://example.com:1023/",
    "https://user:pass@example.com/",
    "https://user@example.com/",
    "https://:pass@example.com/",
    "https://localhost../",
    "https://a.internal../",
    "https://LOCALHOST/",
    "https://127\u30020\u30020\u30021/",
    "https://%31%32%37.0.0.1/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.0.0.1./",
    "https://[::7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[::ffff:0:7f00:1]/",
    "https://168.63.129.16/",
    "https://example.com:0/",
    "https://example.com:6379x/",
    "gopher://example.com:6379/",
    "",
  ])("%s is refused", (url) => {
    expect(() => checkUrl(url, closed)).toThrow(expect.objectContaining({ reason: "blocked_address" }));
  });

  it.each([
    "https://example.com/",
    "https://example.com./",
    "https://example.com:8443/a?b",
    "https://1.1.1.1/",
    "https://[2606:4700:4700::1111]/",
  ])("%s is allowed", (url) => {
    expect(checkUrl(url, closed).href).toBe(url);
  });

  it.each(["https://example.com:80/", "https://example.com:1024/", "https://example.com:65535/"])(
    "%s has a port that is allowed",
    (url) => {
      expect(checkUrl(url, closed).href).toBe(url);
    },
  );

  it("are opened one by one", () => {
    const open = { allowHttp: true, allowHosts: ["IDP.internal"], allowCidrs: ["10.0.0.0/8"] };
    expect(checkUrl("http://idp.internal:8080/", open).host).toBe("idp.internal:8080");
    expect(checkUrl("http://10.1.2.3/", open).host).toBe("10.1.2.3");
    expect(() => checkUrl("http://other.internal/", open)).toThrow("blocked_address");
  });
});

describe("the look-up of a connection", () => {
  const ask = (addresses: LookupAddress[], all: boolean): Promise<unknown> =>
    new Promise((resolve) => {
      const lookup = guardedLookup(closed, (_host, done) => done(null, addresses));
      lookup("name.example", { all }, (error, address, family) => resolve(error ?? { address, family }));
    });
  const v4 = { address: "1.1.1.1", family: 4 };
  const inner = { address: "10.0.0.1", family: 4 };

  it("returns the addresses that it checked, in the requested form", async () => {
    expect(await ask([v4], false)).toEqual({ address: "1.1.1.1", family: 4 });
    expect(await ask([v4], true)).toEqual({ address: [v4], family: undefined });
  });

  it("refuses a name when any of its addresses is not allowed, or when it has none", async () => {
    for (const addresses of [[inner], [v4, inner], []])
      expect(await ask(addresses, true)).toMatchObject({ reason: "blocked_address" });
  });
});

describe("addresses of other protocols", () => {
  const resolver =
    (...addresses: string[]) =>
    (_host: string, done: (error: null, found: LookupAddress[]) => void): void =>
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
  const opened = { allowHosts: ["graph.internal"], allowCidrs: ["10.1.0.0/16"] };

  it.each([
    ["8.8.8.8", "8.8.8.8"],
    ["10.1.2.3", "10.1.2.3"],
    ["[2606:4700:4700::1111]", "2606:4700:4700::1111"],
    ["db.example.com", "10.1.9.9"],
    ["Graph.Internal.", "10.1.9.9"],
  ])("%s becomes %s", async (host, address) => {
    expect(await guardedAddress(opened, resolver("10.1.9.9"))(host)).toBe(address);
  });

  it.each(["10.2.0.1", "127.0.0.1", "[::1]", "localhost", "other.internal", "", "2130706433"])(
    "%s is refused",
    async (host) => {
      await expect(guardedAddress(opened, resolver("8.8.8.8"))(host)).rejects.toMatchObject({
        reason: "blocked_address",
      });
    },
  );

  it("are refused when one address of a name is", async () => {
    await expect(
      guardedAddress(opened, resolver("8.8.8.8", "169.254.169.254"))("db.example.com"),
    ).rejects.toMatchObject({ reason: "blocked_address" });
  });
});
