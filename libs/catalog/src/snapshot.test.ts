import { describe, expect, it } from "@jest/globals";
import { defaultOrganizationNames, effectiveLimits, newGid } from "@ikg/contracts";
import { keyRing, seal } from "@ikg/secrets";
import { knownStates, snapshotOf } from "./snapshot.ts";
import type { StoredProject, StoredRow } from "./stored.ts";

const project = {
  id: newGid("project"),
  organization_id: newGid("organization"),
  version: 1,
  pk: "abcd1234",
  ikg_status: "ACTIVE",
  data: "{}",
};
const warnings: string[] = [];
const log = { warn: (message: string) => warnings.push(message) };
const keys = keyRing(Buffer.alloc(32, 7));
const reading = { log, keys };

const kbac = (subject: string, resource: string, actions: string[], cypher?: string): string =>
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: subject },
    actions,
    resource: { type: resource },
    condition: { cypher: cypher ?? `MATCH (subject:${subject})-[:OWNS]->(resource:${resource})` },
  });
const ciq = (...nodes: string[]): string =>
  JSON.stringify({
    meta: { policy_version: "1.0-ciq" },
    subject: { type: "Person" },
    condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(car:Car)" },
    allowed_reads: { nodes },
  });

let made = 0;
const row = (fields: Partial<StoredRow>): StoredRow => ({
  id: newGid("authorization_policy"),
  name: `record-${made++}`,
  version: 1,
  createTime: new Date(made).toISOString(),
  data: { tags: [] },
  text: undefined,
  policyKind: undefined,
  displayName: undefined,
  description: undefined,
  ...fields,
});
const kbacRow = (text: string, fields: Partial<StoredRow> = {}): StoredRow =>
  row({ text, policyKind: "kbac", ...fields });
const ciqRow = (text: string, fields: Partial<StoredRow> = {}): StoredRow =>
  row({ text, policyKind: "ciq", ...fields });
const queryRow = (policy: StoredRow, nodes: string[]): StoredRow =>
  row({ id: newGid("knowledge_query"), text: JSON.stringify({ nodes }), data: { policy_id: policy.id } });
const stored = (parts: Partial<StoredProject>): StoredProject => ({
  project,
  policies: [],
  queries: [],
  introspects: [],
  resolvers: [],
  mcpServer: undefined,
  ...parts,
});

describe("snapshotOf", () => {
  it("finds candidates by both types and the action", () => {
    const one = kbacRow(kbac("Person", "Car", ["READ", "WRITE"]), { data: { tags: ["t"] } });
    const two = kbacRow(kbac("Person", "Car", ["READ"]));
    const { snapshot } = snapshotOf(stored({ policies: [one, two, ciqRow(ciq())] }), undefined, reading);
    expect(snapshot.project).toEqual({
      limits: effectiveLimits(undefined),
      organizationNames: defaultOrganizationNames,
      id: project.id,
      organizationId: project.organization_id,
      pk: "abcd1234",
      ikgStatus: "ACTIVE",
    });
    expect(snapshot.kbacCandidates("Person", "READ", "Car").map(({ id }) => id)).toEqual([one.id, two.id]);
    expect(snapshot.kbacCandidates("Person", "WRITE", "Car")).toMatchObject([
      { id: one.id, name: one.name, version: 1, tags: ["t"], policy: { subjectType: "Person" } },
    ]);
    for (const [subject, action, resource] of [
      ["Car", "READ", "Person"],
      ["Person", "read", "Car"],
      ["Person", "READ", "__proto__"],
      ["Person\0READ", "", "Car"],
    ] as const)
      expect(snapshot.kbacCandidates(subject, action, resource)).toEqual([]);
    expect(snapshot.kbacPolicies()).toHaveLength(2);
    expect(snapshot.kbacCandidates("Person", "READ", "Car")).toBe(
      snapshot.kbacCandidates("Person", "READ", "Car"),
    );
  });

  it("is the same object as long as nothing changes, and takes over what did not", () => {
    const one = kbacRow(kbac("Person", "Car", ["READ"]));
    const policy = ciqRow(ciq("car.external_id"));
    const query = queryRow(policy, ["car.external_id"]);
    const first = snapshotOf(stored({ policies: [one, policy], queries: [query] }), undefined, reading);
    expect(knownStates(first)).toEqual([`${one.id}@1`, `${policy.id}@1`, `${query.id}@1`]);
    const bare = (rows: StoredRow[]): StoredRow[] => rows.map((each) => ({ ...each, text: undefined }));
    expect(
      snapshotOf(stored({ policies: bare([one, policy]), queries: bare([query]) }), first, reading),
    ).toBe(first);

    const two = kbacRow(kbac("Person", "Car", ["READ"]));
    const second = snapshotOf(
      stored({ policies: [...bare([one, policy]), two], queries: bare([query]) }),
      first,
      reading,
    );
    const [before] = first.snapshot.kbacCandidates("Person", "READ", "Car");
    const [taken, added] = second.snapshot.kbacCandidates("Person", "READ", "Car");
    expect(taken).toBe(before);
    expect(added?.id).toBe(two.id);
    expect(second.snapshot.query(query.id)).toBe(first.snapshot.query(query.id));
  });

  it("checks a query against the present state of its policy", () => {
    const policy = ciqRow(ciq("car.property.price"));
    const query = queryRow(policy, ["car.property.price"]);
    const first = snapshotOf(stored({ policies: [policy], queries: [query] }), undefined, reading);
    expect(first.snapshot.query(query.name)).toMatchObject({
      id: query.id,
      policyId: policy.id,
      policyVersion: 1,
      policy: { kind: "ciq" },
      query: { ok: true },
    });
    const narrower = { ...policy, version: 2, text: ciq("car.external_id") };
    const second = snapshotOf(
      stored({ policies: [narrower], queries: [{ ...query, text: undefined }] }),
      first,
      reading,
    );
    expect(second.snapshot.query(query.id)).toMatchObject({ policyVersion: 2, query: { ok: false } });
    const third = snapshotOf(stored({ queries: [{ ...query, text: undefined }] }), second, reading);
    expect(third.snapshot.query(query.id)).toBeUndefined();
    const fourth = snapshotOf(
      stored({ policies: [policy], queries: [{ ...query, text: undefined }] }),
      third,
      reading,
    );
    expect(fourth.snapshot.query(query.id)?.query.ok).toBe(true);
    expect(fourth.snapshot.query("unknown")).toBeUndefined();
  });

  it("leaves out, and reports, what the language does not take any more", () => {
    const bad = kbacRow(kbac("Person", "Car", ["READ"], "MATCH (subject), (resource) WHERE x = y"));
    const good = kbacRow(kbac("Person", "Car", ["READ"]));
    const lines: unknown[] = [];
    const ownLog = { warn: (...line: unknown[]) => lines.push(line) };
    const { snapshot } = snapshotOf(stored({ policies: [bad, good] }), undefined, { log: ownLog, keys });
    expect(snapshot.kbacCandidates("Person", "READ", "Car").map(({ id }) => id)).toEqual([good.id]);
    // The number of faults and none of their texts, which quote the author.
    expect(lines).toEqual([
      ["a stored policy is no longer valid and is skipped", { policy: bad.id, version: 1, faults: 2 }],
    ]);
  });

  /** A configuration for offline validation, one with defaults, and one for opaque tokens with a sealed secret. */
  const introspectRows = () => {
    const introspect = row({
      id: newGid("token_introspect"),
      version: 3,
      data: {
        jwt_matcher: { issuer: "https://i", audience: "a" },
        offline_validation: { public_jwks: ["{}"] },
        claims_mapping: { email: { selector: "mail" } },
        sub_claim: { selector: "uid" },
        ikg_node_type: "Person",
        perform_upsert: false,
      },
    });
    const plain = row({
      data: {
        jwt_matcher: { issuer: "https://i", audience: "b" },
        claims_mapping: {},
        ikg_node_type: "P1",
        perform_upsert: false,
      },
    });
    const opaqueId = newGid("token_introspect");
    const opaque = row({
      id: opaqueId,
      data: {
        opaque_matcher: { hint: "github" },
        online_validation: seal(
          keys,
          { record: opaqueId, field: "online_validation" },
          JSON.stringify({
            introspection_endpoint: "https://i/introspect",
            client_id: "c",
            client_secret: "s",
            cache_ttl: 60,
          }),
        ),
        claims_mapping: {},
        ikg_node_type: "Person",
        perform_upsert: true,
      },
    });
    return { introspect, plain, opaque };
  };

  it("shows introspection configurations as auth needs them", () => {
    const { introspect, plain, opaque } = introspectRows();
    const { snapshot } = snapshotOf(stored({ introspects: [introspect, plain, opaque] }), undefined, reading);
    expect(snapshot.introspects).toEqual([
      {
        id: introspect.id,
        version: 3,
        createTime: introspect.createTime,
        projectId: project.id,
        jwtMatcher: { issuer: "https://i", audience: "a" },
        offline: { publicJwks: ["{}"] },
        claimsMapping: { email: { selector: "mail" } },
        subClaim: "uid",
        nodeType: "Person",
        performUpsert: false,
      },
      expect.objectContaining({ subClaim: "sub", offline: { publicJwks: [] } }),
      expect.objectContaining({
        jwtMatcher: undefined,
        opaqueMatcher: { hint: "github" },
        online: {
          userinfoEndpoint: undefined,
          introspection: { endpoint: "https://i/introspect", clientId: "c", clientSecret: "s" },
          cacheTtl: 60,
        },
        performUpsert: true,
      }),
    ]);
  });

  it("leaves out, and reports once, introspection configurations that it cannot open: their tokens match nothing", () => {
    const { plain, opaque } = introspectRows();
    const rows = stored({ introspects: [plain, opaque] });
    warnings.length = 0;
    for (const other of [undefined, keyRing(Buffer.alloc(32, 8))]) {
      const { introspects } = snapshotOf(rows, undefined, { log, keys: other }).snapshot;
      expect(introspects.map(({ id }) => id)).toEqual([plain.id]);
    }
    expect(warnings).toEqual(["token introspect cannot be opened"]);
  });

  it("has resolvers by name and gid, whose data need not be brought again", () => {
    const data = { url: "https://a.example/", method: "POST", request_payload: "{}", response_selector: "." };
    const id = newGid("external_data_resolver");
    const sealed = seal(keys, { record: id, field: "headers" }, JSON.stringify({ "X-Key": ["secret"] }));
    const plain = row({ id: newGid("external_data_resolver"), name: "plain", data });
    const keyed = row({ id, name: "keyed", version: 4, data: { ...data, headers: sealed } });
    const first = snapshotOf(stored({ resolvers: [plain, keyed] }), undefined, reading);
    const shown = {
      id,
      name: "keyed",
      version: 4,
      headers: { "X-Key": ["secret"] },
      payload: "{}",
      selector: ".",
    };
    expect(first.snapshot.resolver("keyed")).toMatchObject(shown);
    expect(first.snapshot.resolver(id)).toBe(first.snapshot.resolver("keyed"));
    expect(first.snapshot.resolver("plain")).toMatchObject({ headers: {}, url: "https://a.example/" });
    expect(first.snapshot.resolver("nobody")).toBeUndefined();
    expect(knownStates(first)).toEqual([`${plain.id}@1`, `${id}@4`]);

    const changed = { ...plain, version: 2, data: { ...data, url: "https://b.example/" } };
    const second = snapshotOf(stored({ resolvers: [changed, { ...keyed, data: {} }] }), first, reading);
    expect(second.snapshot.resolver(id)).toBe(first.snapshot.resolver(id));
    expect(second.snapshot.resolver("plain")).toMatchObject({ url: "https://b.example/" });
    expect(snapshotOf(stored({}), second, reading).snapshot.resolver(id)).toBeUndefined();

    // No resolver is called without the headers that were meant.
    warnings.length = 0;
    for (const other of [undefined, keyRing(Buffer.alloc(32, 8))]) {
      const { snapshot } = snapshotOf(stored({ resolvers: [plain, keyed] }), undefined, { log, keys: other });
      expect([snapshot.resolver(id), snapshot.resolver("plain")?.name]).toEqual([undefined, "plain"]);
    }
    expect(warnings).toEqual(Array.from({ length: 2 }, () => "external data resolver cannot be opened"));
  });
});
