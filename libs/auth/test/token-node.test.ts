import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { SignJWT } from "jose";
import { generateKeyPairSync } from "node:crypto";
import type { Graph } from "@ikg/graph";
import { nodeKey, projectLabel, typeLabel } from "@ikg/physical";
import type { IntrospectionConfig } from "../src/index.ts";
import {
  configOf,
  type IntrospectionUnderTest,
  openIntrospectionUnderTest,
} from "./introspection-under-test.ts";

const issuer = "https://idp.example.com";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const jwk = JSON.stringify(publicKey.export({ format: "jwk" }));
const limits = { timeoutMs: 80_000 };

let under: IntrospectionUnderTest;

beforeAll(async () => {
  under = openIntrospectionUnderTest();
  // Without the constraints several writers make several nodes.
  await under.graph.prepare();
});

afterAll(async () => {
  const { project, graph } = under;
  await graph.shared.write(
    (tx) => tx.run(`MATCH (n:${projectLabel(project.pk)}) DETACH DELETE n`, {}),
    limits,
  );
  await under.close();
});

const upserting = (more: Partial<IntrospectionConfig> = {}): IntrospectionConfig =>
  configOf({
    jwtMatcher: { issuer, audience: "app" },
    offline: { publicJwks: [jwk] },
    performUpsert: true,
    ...more,
  });

const tokenOf = (sub: string, claims: Record<string, unknown> = {}): Promise<string> =>
  new SignJWT({ iss: issuer, aud: "app", sub, jti: "secret-jti", ...claims })
    .setExpirationTime("5m")
    .setProtectedHeader({ alg: "EdDSA" })
    .sign(privateKey);

interface Found {
  readonly labels: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

const nodeOf = async (type: string, id: string): Promise<Found | undefined> => {
  const [row] = await under.graph.shared.read(
    "MATCH (n:_Node {_key: $key}) RETURN labels(n) AS labels, properties(n) AS fields",
    { key: nodeKey(under.project.pk, type, id) },
    limits,
  );
  return row as Found | undefined; // two columns, as the statement says
};

describe("the node of a bearer's subject", () => {
  it("is written from the mapped claims that can be stored, with their source, and nothing else", async () => {
    const config = upserting({
      claimsMapping: {
        mail: { selector: "email" },
        groups: { selector: "groups" },
        level: { selector: "level" },
        staff: { selector: "staff" },
        nested: { selector: "nested" },
        mixed: { selector: "mixed" },
        nothing: { selector: "null" },
        absent: { selector: "absent" },
        type: { selector: "kind" },
        sub: { selector: "email" },
        phone: { selector: "phone_number" },
      },
    });
    const token = await tokenOf("alice", {
      email: "a@example.com",
      groups: ["a", "b"],
      level: 4,
      staff: true,
      nested: { a: 1 },
      mixed: ["a", 1],
      null: null,
      kind: "gold",
      phone_number: 5,
      unmapped: "x",
    });
    const { claims } = await under.introspect(token, config);
    const found = await nodeOf("Person", "alice");
    const { pk } = under.project;
    expect(new Set(found?.labels)).toEqual(new Set(["_Node", projectLabel(pk), typeLabel("Person", pk)]));
    expect(found?.fields).toMatchObject({
      type: "Person",
      external_id: "alice",
      is_identity: true,
      mail: "a@example.com",
      groups: ["a", "b"],
      level: 4,
      staff: true,
      "_p.type": "gold",
      "mail.metadata.source": issuer,
      "groups.metadata.source": issuer,
    });
    // A system name that is mapped is written to the node; `$token` shows the system's own.
    expect([found?.fields["sub"], claims["sub"]]).toEqual(["a@example.com", "alice"]);
    for (const name of ["nested", "mixed", "nothing", "absent", "phone", "unmapped", "jti"])
      expect(found?.fields).not.toHaveProperty(name);
    const text = JSON.stringify(found);
    for (const hidden of ["secret-jti", token]) expect(text).not.toContain(hidden);
    expect(under.logged).toContainEqual([
      expect.any(String),
      { configuration: config.id, claims: ["phone_number"] },
    ]);
  });

  it("keeps what others wrote, its id and its time of creation", async () => {
    const config = upserting({ claimsMapping: { mail: { selector: "email" } } });
    await under.introspect(await tokenOf("bob", { email: "old@example.com" }), config);
    const before = await nodeOf("Person", "bob");
    await under.graph.shared.write(
      (tx) =>
        tx.run("MATCH (n:_Node {_key: $key}) SET n.is_identity = false, n.city = 'Ulm'", {
          key: nodeKey(under.project.pk, "Person", "bob"),
        }),
      limits,
    );
    await under.introspect(await tokenOf("bob", { email: "new@example.com" }), config);
    const after = await nodeOf("Person", "bob");
    expect(after?.fields).toMatchObject({
      mail: "new@example.com",
      city: "Ulm",
      is_identity: false,
      id: before?.fields["id"],
      create_time: before?.fields["create_time"],
    });
  });

  it("is written once for steady traffic, by one of the processes, and again when a claim changes", async () => {
    let writes = 0;
    const { graph } = under;
    const counting: Graph = {
      ...graph,
      of: (project) => {
        const database = graph.of(project);
        return {
          ...database,
          write: (work, options) =>
            database.write(
              (tx) =>
                work({
                  run: (text, params) => {
                    if (text.includes("$fresh")) writes++;
                    return tx.run(text, params);
                  },
                }),
              options,
            ),
        };
      },
    };
    const one = openIntrospectionUnderTest({ graph: counting });
    const config = upserting({ claimsMapping: { mail: { selector: "email" } } });
    const introspect = (token: string) =>
      one.introspection.introspect(token, { project: under.project, introspects: [config] }, Date.now());
    for (let i = 0; i < 3; i++) await introspect(await tokenOf("carol", { email: "a", jti: `${i}` }));
    expect(writes).toBe(1);
    const [written = ""] = await under.redis.keys(`tokennode:${config.id}:*`);
    expect(await under.redis.ttl(written)).toBeGreaterThan(590);
    await introspect(await tokenOf("carol", { email: "b" }));
    expect(writes).toBe(2);
    await one.close();
  });

  it("is one node when many come at once", async () => {
    const config = upserting({ nodeType: "Guest", claimsMapping: { mail: { selector: "email" } } });
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) =>
        under.introspect(await tokenOf("dora", { email: `${i}` }), config),
      ),
    );
    const rows = await under.graph.shared.read(
      "MATCH (n:_Node {_key: $key}) RETURN count(n) AS n",
      { key: nodeKey(under.project.pk, "Guest", "dora") },
      limits,
    );
    expect(rows).toEqual([{ n: 1 }]);
    expect(under.counted).toEqual([]);
  });

  it("is not written unless the configuration says so, nor for a token that is refused", async () => {
    await under.introspect(await tokenOf("erin"), upserting({ performUpsert: false }));
    expect(await nodeOf("Person", "erin")).toBeUndefined();
    const forged = `${(await tokenOf("erin")).slice(0, -6)}AAAAAA`;
    await expect(under.introspect(forged, upserting())).rejects.toMatchObject({ code: "bearer_invalid" });
    expect(await nodeOf("Person", "erin")).toBeUndefined();
  });

  it("that cannot be written delays no caller: it is logged and counted", async () => {
    const unavailableGraph = { of: () => ({ write: () => Promise.reject(new Error("secret detail")) }) };
    const withoutGraph = openIntrospectionUnderTest({ graph: unavailableGraph as unknown as Graph }); // the only members that are used
    await expect(withoutGraph.introspect(await tokenOf("frank"), upserting())).resolves.toMatchObject({
      subject: "frank",
    });
    expect(withoutGraph.counted).toEqual(["ikg_token_nodes_failed_total"]);
    expect(JSON.stringify(withoutGraph.logged)).toContain("node of a token's subject could not be written");
    expect(JSON.stringify(withoutGraph.logged)).not.toContain("secret detail");
    await withoutGraph.close();
  });

  it("is not written when its names exceed the limits of the project", async () => {
    const limits = { ...under.project.limits, property_names: 1 };
    const project = { ...under.project, id: `${under.project.id}-small`, limits };
    const mapping = { mail: { selector: "email" }, city: { selector: "city" } };
    const introspect = async (name: string, claimsMapping: typeof mapping | Pick<typeof mapping, "mail">) =>
      under.introspection.introspect(
        await tokenOf(name, { email: "e", city: "Ulm" }),
        { project, introspects: [upserting({ claimsMapping, nodeType: "Visitor" })] },
        Date.now(),
      );
    await expect(introspect("hugo", mapping)).resolves.toMatchObject({ subject: "hugo" });
    expect(await nodeOf("Visitor", "hugo")).toBeUndefined();
    await introspect("ines", { mail: mapping.mail });
    expect((await nodeOf("Visitor", "ines"))?.fields["mail"]).toBe("e");
  });

  it("is written without Redis", async () => {
    const withoutRedis = openIntrospectionUnderTest({ graph: under.graph, redisUrl: "redis://127.0.0.1:1" });
    await withoutRedis.introspection.introspect(
      await tokenOf("gina"),
      { project: under.project, introspects: [upserting()] },
      Date.now(),
    );
    await withoutRedis.close();
    expect(await nodeOf("Person", "gina")).toBeDefined();
  });
});
