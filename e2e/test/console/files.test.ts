import { beforeAll, describe, expect, it } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { environment } from "../../src/environment.ts";
import { sendRaw } from "../../src/requests/send-raw.ts";

/** The console's files, as the gateway serves them. */
const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${environment().base_url}${path}`, { redirect: "manual", ...init });

/** What the page loads before it shows anything. */
let page: string;
let loaded: readonly string[];

beforeAll(async () => {
  page = await (await get("/console/")).text();
  loaded = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].flatMap(([, path]) => path ?? []);
});

describe("the files of the console", () => {
  it("are allowed nothing but themselves and this address", async () => {
    const { status, headers } = await get("/console/");
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toBe(
      [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join("; "),
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });

  it("are kept for ever where their names change with them, and are not sent again", async () => {
    const path = `/console/${loaded[0]}`;
    const first = await get(path);
    expect(first.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const etag = first.headers.get("etag") ?? "";
    const second = await get(path, { headers: { "If-None-Match": `"other", W/${etag}` } });
    expect([second.status, await second.text()]).toEqual([304, ""]);
    const third = await get(path, { headers: { "If-None-Match": '"other"' } });
    expect(third.status).toBe(200);
  });

  it("are compressed for whom that is acceptable", async () => {
    const path = `/console/${loaded[0]}`;
    const plain = await get(path, { headers: { "Accept-Encoding": "gzip;q=0, identity" } });
    const compressed = await get(path, { headers: { "Accept-Encoding": "br, gzip" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    expect(compressed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    expect(await compressed.text()).toBe(await plain.text());
  });

  it("stand below /console/, and nothing else does", async () => {
    const redirected = await get("/console");
    expect([redirected.status, redirected.headers.get("location")]).toEqual([308, "console/"]);
    for (const path of ["/console/none", "/console/assets/", "/console/index.html/", "/consoles/"])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    for (const path of [
      "/console/../package.json",
      "/console/%2e%2e/package.json",
      "/console/..%2fpackage.json",
    ])
      expect([path, (await sendRaw({ method: "GET", path })).status]).toEqual([path, 404]);
  });

  it("answer GET and HEAD alone", async () => {
    const head = await get("/console/", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await get("/console/", { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("load at most 250 kB before the first screen", async () => {
    const parts = await Promise.all(loaded.map(async (path) => (await get(`/console/${path}`)).bytes()));
    expect(parts.length).toBeGreaterThan(1);
    const bytes = parts.reduce((sum, part) => sum + gzipSync(part, { level: 9 }).length, 0);
    expect(bytes).toBeLessThan(250_000);
  });
});
