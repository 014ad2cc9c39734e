import { describe, expect, it } from "@jest/globals";
import { type IntrospectionConfig, newCredential } from "../src/index.ts";
import { json } from "./endpoint.ts";
import { openIntrospectionUnderTest } from "./introspection-under-test.ts";
import {
  byIntrospection,
  byUserinfo,
  endpoint,
  nextNumber,
  now,
  refused,
  tokenOf,
  under,
} from "./online-under-test.ts";

describe("a good answer", () => {
  it("is kept for cache_ttl, for every process, and ages grow all the same", async () => {
    const config = byUserinfo(60);
    const token = await tokenOf({ auth_time: now() - 100 });
    const first = await under.introspect(token, config);
    const again = await under.introspect(token, config);
    const other = openIntrospectionUnderTest({ graph: under.graph });
    const elsewhere = await other.introspect(token, config);
    const { introspection, project } = other;
    const later = await introspection.introspect(
      token,
      { project, introspects: [config] },
      Date.now() + 20_000,
    );
    await other.close();
    expect(endpoint.requests).toHaveLength(1);
    expect([again.subject, elsewhere.subject]).toEqual(["alice", "alice"]);
    expect(Number(later.claims["auth_age"]) - Number(first.claims["auth_age"])).toBeGreaterThanOrEqual(20);
    expect(Number(later.claims["token_age"]) - Number(first.claims["token_age"])).toBeGreaterThanOrEqual(20);
  });

  it("is read with a former key, and not without one", async () => {
    const config = byUserinfo(60);
    const token = await tokenOf();
    await under.introspect(token, config);
    expect(endpoint.requests).toHaveLength(1);
    const [former, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    const rotated = openIntrospectionUnderTest({ graph: under.graph, keys: [next, former] });
    await expect(rotated.introspect(token, config)).resolves.toMatchObject({ subject: "alice" });
    await rotated.close();
    expect(endpoint.requests).toHaveLength(1);
    const without = openIntrospectionUnderTest({ graph: under.graph, keys: [next] });
    await expect(without.introspect(token, config)).resolves.toMatchObject({ subject: "alice" });
    await without.close();
    expect(endpoint.requests).toHaveLength(2);
  });

  it("is asked for again after cache_ttl, with another version, and for another configuration", async () => {
    const config = byUserinfo(60);
    const token = await tokenOf();
    const { introspection, project } = under;
    const introspect = (introspects: IntrospectionConfig[], ms = 0) =>
      introspection.introspect(token, { project, introspects }, Date.now() + ms);
    await introspect([config]);
    await introspect([config], 59_000);
    expect(endpoint.requests).toHaveLength(1);
    await introspect([config], 60_001);
    expect(endpoint.requests).toHaveLength(2);
    await introspect([{ ...config, version: 2 }]);
    await introspect([{ ...config, id: `${config.id} other` }]);
    expect(endpoint.requests).toHaveLength(4);
  });

  it("ends with the token", async () => {
    const config = byUserinfo(3_600);
    const token = await tokenOf({ exp: now() + 5 });
    await under.introspect(token, config);
    const [place] = await under.redis.keys(`bearer:*${config.id}*`);
    expect(place).toBeDefined();
    expect(await under.redis.pttl(place ?? "")).toBeLessThanOrEqual(5_000);
  });

  it("is of no use to another service that has the same key, wherever it is put", async () => {
    const config = byUserinfo(60);
    const token = await tokenOf();
    const other = openIntrospectionUnderTest({ service: "mcp", graph: under.graph });
    await other.introspect(token, config);
    const [place = ""] = await under.redis.keys(`bearer:mcp:*${config.id}*`);
    expect(place).not.toBe("");
    await under.redis.copy(place, place.replace("bearer:mcp:", "bearer:access:"));
    endpoint.requests.length = 0;
    await under.introspect(token, config);
    await other.close();
    expect(endpoint.requests).toHaveLength(1);
  });

  it("is sealed where it is kept, and cannot be moved to another token", async () => {
    const config = byUserinfo(60);
    const [token, other] = [await tokenOf({ email: "a@example.com" }), await tokenOf()];
    await under.introspect(token, config);
    const [place = ""] = await under.redis.keys(`bearer:*${config.id}*`);
    const sealed = (await under.redis.getBuffer(place)) ?? Buffer.alloc(0);
    expect(place).not.toContain(token);
    for (const text of ["alice", "a@example.com", token]) expect(sealed.includes(text)).toBe(false);

    await under.introspect(other, config);
    const places = await under.redis.keys(`bearer:*${config.id}*`);
    const otherPlace = places.find((each) => each !== place) ?? "";
    await under.redis.set(otherPlace, sealed, "EX", 60);
    const fresh = openIntrospectionUnderTest({ graph: under.graph });
    endpoint.requests.length = 0;
    await fresh.introspect(other, config);
    await fresh.close();
    expect(endpoint.requests).toHaveLength(1);
  });

  it("is not kept with cache_ttl 0, nor is a refusal", async () => {
    const token = await tokenOf();
    const config = byUserinfo(0);
    await under.introspect(token, config);
    await under.introspect(token, config);
    expect(endpoint.requests).toHaveLength(2);

    const kept = byUserinfo(60);
    endpoint.answer = json({}, 401);
    await expect(under.introspect(token, kept)).rejects.toMatchObject({ code: "bearer_invalid" });
    endpoint.answer = json({ sub: "alice" });
    await expect(under.introspect(token, kept)).resolves.toMatchObject({ subject: "alice" });
  });

  it("is asked for once by all that wait for it", async () => {
    const config = byUserinfo(60);
    const token = await tokenOf();
    await Promise.all(Array.from({ length: 50 }, () => under.introspect(token, config)));
    expect(endpoint.requests).toHaveLength(1);
  });

  it("is not kept without Redis, but by the process", async () => {
    const withoutRedis = openIntrospectionUnderTest({ graph: under.graph, redisUrl: "redis://127.0.0.1:1" });
    const config = byUserinfo(60);
    const token = await tokenOf();
    await withoutRedis.introspect(token, config);
    await withoutRedis.introspect(token, config);
    await withoutRedis.close();
    expect(endpoint.requests).toHaveLength(1);
  });

  it("is not kept when it is longer than 16 KiB", async () => {
    const config = byUserinfo(60);
    const keptOf = () => under.redis.keys(`bearer:*${config.id}*`);
    endpoint.answer = json({ sub: "alice", about: "x".repeat(20_000) });
    await expect(under.introspect(await tokenOf(), config)).resolves.toMatchObject({ subject: "alice" });
    expect(await keptOf()).toEqual([]);
    endpoint.answer = json({ sub: "alice", about: "x".repeat(2_000) });
    await under.introspect(await tokenOf(), config);
    expect(await keptOf()).toHaveLength(1);
  });

  it.each(["ak1", "sa1"] as const)("is not sought about a credential of this server: %s", async (prefix) => {
    const config = byIntrospection(0, { jwtMatcher: undefined, opaqueMatcher: { hint: "x" } });
    await expect(under.introspect(newCredential(prefix).token, config)).rejects.toMatchObject(
      refused("a key or service-account token is not a user's token"),
    );
    expect(endpoint.requests).toEqual([]);
  });

  it("about an opaque token ends when the answer says so", async () => {
    const config = byIntrospection(3_600, { jwtMatcher: undefined, opaqueMatcher: { hint: "x" } });
    endpoint.answer = json({ active: true, sub: "carol", exp: now() + 10 });
    await under.introspect(`opaque-${nextNumber()}`, config);
    const [place = ""] = await under.redis.keys(`bearer:*${config.id}*`);
    expect(await under.redis.pttl(place)).toBeLessThanOrEqual(10_000);
  });
});
