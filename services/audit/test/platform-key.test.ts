import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connectGraph, type Graph, type Row } from "@ikg/graph";
import { isCurrent, keyRing, seal } from "@ikg/secrets";
import { graphSettings } from "@ikg/service";
import { AuditSettings } from "../src/settings.ts";
import { platformSigner } from "../src/signing/platform-key.ts";
import { testVariables } from "./audit-under-test.ts";

const limits = { timeoutMs: 60_000 };
let graph: Graph;
/** What a suite on this database has; it is given back. */
let theirs: Row | undefined;

const run = (text: string, params: Row = {}) => graph.shared.write((tx) => tx.run(text, params), limits);
const sealed = async (): Promise<string> =>
  String((await run("MATCH (k:_AuditPlatformKey) RETURN k.sealed AS sealed"))[0]?.["sealed"]);

beforeAll(async () => {
  graph = connectGraph(graphSettings(AuditSettings.parse(testVariables())), {}, async (host) => host);
  await graph.prepare();
  [theirs] = await run("MATCH (k:_AuditPlatformKey) RETURN properties(k) AS k");
  await run("MATCH (k:_AuditPlatformKey) DELETE k");
});
afterAll(async () => {
  await run("MATCH (k:_AuditPlatformKey) DELETE k");
  if (theirs !== undefined) await run("CREATE (k:_AuditPlatformKey) SET k = $k", { k: theirs["k"] });
  await graph.close();
});

describe("the platform's key", () => {
  it("is made once, and stays the same when the key that seals it changes", async () => {
    const [former, current] = [randomBytes(32), randomBytes(32)];
    const open = (...keys: readonly [Buffer, ...Buffer[]]) =>
      platformSigner(graph.shared, keyRing(keys[0], keys.slice(1)), undefined);
    const [one, two] = await Promise.all([open(former), open(former)]);
    const key = await one.publicKey();
    expect(await two.publicKey()).toEqual(key);
    expect(isCurrent(keyRing(former), await sealed())).toBe(true);

    expect(await (await open(current, former)).publicKey()).toEqual(key);
    expect(isCurrent(keyRing(current), await sealed())).toBe(true);
    // Sealed again, so that the former key may go.
    expect(await (await open(current)).publicKey()).toEqual(key);
    await expect(open(former)).rejects.toThrow();
    expect(await sealed()).not.toContain(key.kid);
  });

  it("that is corrupt is named by where it is", async () => {
    const keys = keyRing(randomBytes(32));
    const corrupt = seal(keys, { record: "platform", field: "private_key" }, "{}");
    await run("MERGE (k:_AuditPlatformKey {id: 'platform'}) SET k.sealed = $corrupt", { corrupt });
    await expect(platformSigner(graph.shared, keys, undefined)).rejects.toThrow(
      "the platform's key in the database is not a private key in JWK form",
    );
    await expect(platformSigner(graph.shared, keys, "{}")).rejects.toThrow(
      "AUDIT_PLATFORM_KEY_JWK is not a private key in JWK form",
    );
  });
});
