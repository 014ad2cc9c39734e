import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Ikg, IkgAdmin, type IkgError, IkgUnreachable, StepUpRequired } from "@ikg/client";
import { createTestProject, type TestProject } from "@ikg/client/testing";
import {
  type Sample,
  collectionPaths,
  createParents,
  type Parents,
  removeParents,
  samplesOf,
} from "../src/collections.ts";
import { ownAccount } from "../src/configs.ts";
import { environment } from "../src/environment.ts";
import { eventually } from "../src/eventually.ts";
import { freshName } from "../src/fresh-name.ts";
import { long } from "../src/long.ts";

/** @ikg/client against the suite: every group of its calls. */
const persons = Array.from({ length: 300 }, (_, at) => `p${at}`);
const documents = Array.from({ length: 300 }, (_, at) => `d${at}`);
const node = (type: string, external_id: string, properties: object = {}) => ({
  type,
  external_id,
  properties: Object.entries(properties).map(([name, value]) => ({ type: name, value: value as number })),
});
const document = (id: string) => ({ type: "Document", id });

const mayRead = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: "Document" },
  condition: { cypher: "MATCH (subject)-[:OWNS]->(resource)" },
};
const mayEdit = {
  ...mayRead,
  actions: ["EDIT"],
  condition: { cypher: "MATCH (subject)-[:OWNS]->(resource) WHERE resource.property.level >= $level" },
};
const readsAll = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "_Application" },
  condition: { cypher: "MATCH (subject:_Application) MATCH (document:Document)" },
  allowed_reads: { nodes: ["document.external_id", "document.property.level"] },
};
const readsOwn = {
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Person" },
  condition: {
    cypher: "MATCH (subject:Person)-[:OWNS]->(document:Document)",
    token_filter: { attribute: "$token.auth_age", operator: "<=", value: 300 },
  },
  allowed_reads: { nodes: ["document.external_id"] },
};

let project: TestProject;
let ikg: Ikg;
let admin: IkgAdmin;

const failureOf = async (promise: Promise<unknown>): Promise<IkgError> => {
  try {
    await promise;
  } catch (error) {
    return error as IkgError;
  }
  throw new Error("it did not fail");
};

beforeAll(async () => {
  const { base_url: baseUrl, service_account_token: token } = environment();
  const allDocuments = { nodes: ["document.external_id"] };
  project = await createTestProject({
    baseUrl,
    token,
    name: "client",
    people: "Person",
    policies: { "may-read": mayRead, "may-edit": mayEdit, "reads-all": readsAll, "reads-own": readsOwn },
    queries: {
      all: { policy: "reads-all", query: allDocuments },
      own: { policy: "reads-own", query: allDocuments },
    },
    permissions: ["Authorization", "Capture", "ContXIQ", "ReadAuthZConfigs", "ReadDataSchema"],
  });
  ({ ikg, admin } = project);
});

afterAll(() => project?.remove());

describe("captures", () => {
  it("write more nodes and relationships than a request takes", async () => {
    const people = await ikg.capture.nodes(persons.map((id) => node("Person", id)));
    const things = await ikg.capture.nodes(documents.map((id, level) => node("Document", id, { level })));
    const owns = [...documents.map((id, at) => [persons[at % 3] ?? "", id] as const)].map(([owner, id]) => ({
      source: { type: "Person", external_id: owner },
      type: "OWNS",
      target: { type: "Document", external_id: id },
    }));
    const relations = await ikg.capture.relationships(owns);
    for (const { results } of [people, things, relations]) {
      expect(results).toHaveLength(300);
      expect(new Set(results.map(({ id }) => id)).size).toBe(300);
    }
  });

  it("name what is wrong by its place among all items", async () => {
    const wrong = persons.map((id, at) => (at === 270 ? node("1", id) : node("Person", id)));
    const error = await failureOf(ikg.capture.nodes(wrong));
    expect([error.status, error.code]).toEqual([400, "invalid_request"]);
    expect(error.errors[0]).toMatch(/^nodes\[270\]\.type: /);
    expect(error.requestId).toBeTruthy();
  });

  it("skip relationships whose ends are missing, and delete", async () => {
    const missing = { source: { type: "Person", external_id: "p0" }, type: "KNOWS" };
    const { skipped } = await ikg.capture.relationships(
      [{ ...missing, target: { type: "Person", external_id: "nobody" } }],
      { onMissing: "skip" },
    );
    expect(skipped).toEqual([{ index: 0, reason: "target: node does not exist" }]);
    const [saved] = (await ikg.capture.nodes([node("Person", "gone", { age: 7, size: 2 })])).results;
    const ref = { type: "Person", external_id: "gone" };
    expect(await ikg.capture.putNode(saved?.id ?? "", { labels: ["Former"] })).toMatchObject({
      id: saved?.id,
    });
    const knows = { source: { type: "Person", external_id: "p0" }, type: "KNOWS", target: ref };
    await ikg.capture.relationships([{ ...knows, properties: [{ type: "since", value: 1 }] }]);
    const deletions = [
      await ikg.capture.deleteNodeProperties([{ ...ref, property_types: ["age"] }]),
      await ikg.capture.deleteNodeMetadata([{ ...ref, property_type: "size", metadata_fields: ["source"] }]),
      await ikg.capture.deleteRelationshipProperties([{ ...knows, property_types: ["since"] }]),
      await ikg.capture.deleteRelationships([knows]),
      await ikg.capture.deleteNodes([ref]),
    ];
    expect(deletions.map(({ results }) => results.length)).toEqual([1, 1, 1, 1, 1]);
  });

  it("import lines with progress, and list what was rejected", async () => {
    async function* lines() {
      for (const id of persons) yield { node: node("Cadet", id) };
      yield { node: node("1", "wrong") };
    }
    const job = await ikg.capture.import(lines());
    const states: string[] = [];
    for await (const { status } of job.progress({ everyMs: 100 })) states.push(status);
    expect(states.at(-1)).toBe("done");
    const state = await job.state();
    expect([state.nodes.written, state.rejected.count]).toEqual([300, 1]);
    expect((await job.rejected().toArray()).map(({ line }) => line)).toEqual([301]);
    expect((await ikg.capture.imports()).map(({ id }) => id)).toContain(job.id);
    expect((await failureOf(ikg.capture.job(job.id).cancel())).code).toBe("conflict");
  });
});

describe("decisions and searches", () => {
  it("are the same joined and alone", async () => {
    const p0 = ikg.as({ type: "Person", id: "p0" });
    const asked = documents.slice(0, 120);
    const joined = await Promise.all(asked.map((id) => p0.can("READ", document(id))));
    expect(joined).toEqual(asked.map((_, at) => at % 3 === 0));
    const alone = await Promise.all(
      asked.slice(0, 6).map((id) => p0.can("READ", document(id), { join: false })),
    );
    expect(alone).toEqual(joined.slice(0, 6));
  });

  it("fail for their own caller alone, with the same code joined and alone", async () => {
    const p0 = ikg.as({ type: "Person", id: "p0" });
    const [granted, joined, denied] = await Promise.all([
      p0.can("EDIT", document("d3"), { params: { level: 3 } }),
      failureOf(p0.can("EDIT", document("d3"))),
      p0.can("EDIT", document("d3"), { params: { level: 4 } }),
    ]);
    const alone = await failureOf(p0.can("EDIT", document("d3"), { join: false }));
    expect([granted, denied]).toEqual([true, false]);
    expect([joined.code, joined.status, joined.errors]).toEqual(["input_param_missing", 422, alone.errors]);
    expect(alone.code).toBe("input_param_missing");
  });

  it("explain themselves", async () => {
    const p1 = ikg.as({ type: "Person", id: "p1" });
    const decisions = await Promise.all(
      ["d0", "d1"].map((id) => p1.decide("READ", document(id), { explain: true })),
    );
    expect(
      decisions.map(({ context }) => context?.explanation?.candidates.map(({ outcome }) => outcome)),
    ).toEqual([["pattern_not_matched"], ["granted"]]);
  });

  it("search resources, subjects and actions, all pages", async () => {
    const p1 = ikg.as({ type: "Person", id: "p1" });
    const found = await p1.resources("READ", "Document", { pageSize: 7 }).toArray();
    expect(found.map(({ id }) => id)).toEqual(documents.filter((_, at) => at % 3 === 1).toSorted());
    expect(await ikg.subjects("Person", "READ", document("d2")).toArray()).toEqual([
      { type: "Person", id: "p2" },
    ]);
    const actions = await p1.actions(document("d1"), { params: { level: 0 } }).toArray();
    expect(actions.map(({ name }) => name).toSorted()).toEqual(["EDIT", "READ"]);
  });

  it("end by a signal and by a deadline", async () => {
    const p0 = ikg.as({ type: "Person", id: "p0" });
    const signal = AbortSignal.abort(new Error("enough"));
    expect((await failureOf(p0.can("READ", document("d0"), { signal }))).message).toBe("enough");
    const late = await failureOf(p0.can("READ", document("d0"), { timeoutMs: 0.01 }));
    expect(late).toBeInstanceOf(IkgUnreachable);
  });

  it("show active policies and what the graph holds", async () => {
    expect(await ikg.policies("Person")).toHaveLength(2);
    const { graph } = await ikg.dataSchema();
    expect(graph.directed).toBe(true);
  });
});

describe("queries", () => {
  it("have every row, page by page", async () => {
    const rows = await ikg.query("all", {}, { pageSize: 17 }).toArray();
    expect(new Set(rows.map(({ nodes }) => nodes["document.external_id"]))).toEqual(new Set(documents));
    expect(rows).toHaveLength(300);
    const cut = await ikg.query("all", {}, { pageBytes: 1_500 }).toArray();
    expect(cut).toHaveLength(300);
  });

  it("are those of the person of the token", async () => {
    const token = await project.signIn("p2");
    const p2 = ikg.as({ type: "Person", id: "p2", token });
    expect(await p2.whoami()).toEqual({ type: "Person", id: "p2" });
    expect(await p2.query("own").toArray()).toHaveLength(100);
  });

  it("ask for a stronger sign-in", async () => {
    const token = await project.signIn("p2", { auth_time: Math.floor(Date.now() / 1_000) - 900 });
    const error = await failureOf(ikg.as({ type: "Person", id: "p2", token }).query("own").toArray());
    expect(error).toBeInstanceOf(StepUpRequired);
    expect((error as StepUpRequired).advice["max_age"]).toBe("300");
    expect([error.code, error.status]).toEqual(["token_filter_failed", 401]);
  });
});

describe("a session", () => {
  it("keeps the token of its writes for its reads", async () => {
    const session = ikg.session();
    expect(session.consistencyToken).toBe(undefined);
    await session.capture.nodes([node("Document", "fresh", { level: 1 })]);
    const token = session.consistencyToken;
    expect(token).toBeTruthy();
    expect(await session.as({ type: "Person", id: "p0" }).can("READ", document("fresh"))).toBe(false);
    const other = ikg.session(`${token}x`);
    const error = await failureOf(other.as({ type: "Person", id: "p0" }).can("READ", document("fresh")));
    expect(error.code).toBe("invalid_request");
    await ikg.capture.deleteNodes([{ type: "Document", external_id: "fresh" }]);
  });
});

describe("credentials that are not valid", () => {
  it("are errors with their codes", async () => {
    const { baseUrl } = project;
    const wrong = new Ikg({ baseUrl, clientKey: "ak1_wrong" }).as({ type: "Person", id: "p0" });
    expect((await failureOf(wrong.can("READ", document("d0")))).code).toBe("client_key_invalid");
    const stranger = new IkgAdmin({ baseUrl, token: "wrong" });
    expect((await failureOf(stranger.organization())).code).toBe("service_account_invalid");
    const forged = ikg.as({ type: "Person", id: "p0", token: "a.b.c" });
    expect((await failureOf(forged.can("READ", document("d0")))).code).toBe("bearer_invalid");
  });
});

describe("records", () => {
  /** Members of the administration, in the order of the collections. */
  const members = [
    "projects",
    "applications",
    "agents",
    "agentCredentials",
    "serviceAccounts",
    "serviceAccountCredentials",
    "policies",
    "trustScoreProfiles",
    "resolvers",
    "introspects",
    "queries",
    "mcpServers",
    "auditSignings",
  ] as const;
  let parents: Parents;
  let samples: ReadonlyMap<string, Sample>;
  let ofParents: IkgAdmin;

  beforeAll(async () => {
    const account = ownAccount();
    parents = await createParents(account, freshName("client"));
    samples = new Map((await samplesOf(account, parents)).map((sample) => [sample.path, sample]));
    ofParents = new IkgAdmin({
      baseUrl: environment().base_url,
      token: account.token,
      project: parents.projectId,
    });
  });
  afterAll(() => removeParents(ownAccount(), parents));

  for (const [at, path] of collectionPaths.entries()) {
    const member = members[at];
    if (member === undefined) throw new Error(`no member for ${path}`);
    it(`of ${path} are created, read, updated, listed and deleted`, async () => {
      const sample = samples.get(path);
      if (sample === undefined) throw new Error(`no sample of ${path}`);
      // One of the same type for all collections: their fields are those of the samples.
      const collection = ofParents[member] as unknown as IkgAdmin["policies"];
      const name = freshName("of-client");
      const created = await collection.create(sample.body(name) as never);
      try {
        const { record, etag } = await collection.read(created.id);
        expect(record.id).toBe(created.id);
        expect(etag).toMatch(/"/);
        if (sample.named) expect((await collection.get(name)).id).toBe(created.id);
        expect((await collection.list({ search: name })).map(({ id }) => id)).toEqual([created.id]);
        if (sample.named) {
          const updated = await collection.update(created.id, (each) => ({ ...each, ...sample.change() }));
          expect(updated).toMatchObject({ id: created.id });
          expect((await failureOf(collection.delete(created.id, { ifMatch: etag }))).code).toBe(
            "precondition_failed",
          );
        }
      } finally {
        await collection.delete(created.id);
      }
      expect((await failureOf(collection.get(created.id))).code).toBe("not_found");
    });
  }

  it("find the only project, or ask for one", async () => {
    const admin = new IkgAdmin({ baseUrl: project.baseUrl, token: environment().service_account_token });
    const error = await failureOf(admin.policies.list());
    expect(error.message).toContain("project");
    expect((await admin.policies.list({ project: project.name })).map(({ name }) => name)).toContain(
      "may-read",
    );
  });
});

describe("an update", () => {
  it(
    "loses nothing while two editors race",
    async () => {
      const updates = long(50, 1_000);
      const { base_url: baseUrl, service_account_token: token } = environment();
      const editors = [1, 2].map(() => new IkgAdmin({ baseUrl, token, project: project.id }));
      await admin.policies.create({ name: "counted", status: "DRAFT", policy: '{"count":0}' });
      await Promise.all(
        editors.map(async (editor) => {
          for (let at = 0; at < updates / 2; at++)
            await editor.policies.update(
              "counted",
              (policy) => ({
                ...policy,
                policy: { count: (JSON.parse(policy.policy) as { count: number }).count + 1 },
              }),
              { timeoutMs: 60_000 },
            );
        }),
      );
      expect((await admin.policies.get("counted")).policy).toBe(JSON.stringify({ count: updates }));
    },
    long(90_000, 900_000),
  );
});

describe("changes, simulations, replays and audit records", () => {
  const put = (status: "ACTIVE" | "INACTIVE") =>
    [
      {
        op: "put",
        collection: "authorization-policies",
        name: "may-read",
        record: { policy: mayRead, status },
      },
    ] as const;

  it("apply, list and revert changes", async () => {
    const dry = await admin.changes.apply(put("INACTIVE"), { dryRun: true });
    expect([dry.id, dry.changes.map(({ name }) => name)]).toEqual([undefined, ["may-read"]]);
    const applied = await admin.changes.apply(put("INACTIVE"), { message: "closed" });
    const id = applied.id ?? "";
    expect((await admin.changes.get(id)).changes[0]?.before?.["status"]).toBe("ACTIVE");
    const reverted = await admin.changes.revert(id, { message: "open again" });
    const messages = (await admin.changes.list({ pageSize: 1 }).toArray()).map(({ message }) => message);
    expect(messages.slice(0, 2)).toEqual(["open again", "closed"]);
    expect(reverted.reverts).toBe(id);
    expect((await admin.export()).changes.map(({ name }) => name)).toContain("may-read");
  });

  it("validate, list versions and roll back", async () => {
    const valid = { name: "fresh", status: "ACTIVE", policy: mayRead } as const;
    const { statements } = await admin.policies.validate(valid, { preview: true });
    expect(statements?.length).toBeGreaterThan(0);
    const error = await failureOf(admin.policies.validate({ ...valid, policy: { meta: {} } }));
    expect([error.status, error.errors.length > 0]).toEqual([422, true]);
    const versions = await admin.policies.versions("may-read").toArray();
    const [newest] = versions.map(({ version }) => version);
    expect(newest).toBe(versions.length);
    expect((await admin.policies.rollback("may-read", 1)).policy).toBe(JSON.stringify(mayRead));
  });

  it("simulate with progress, and replay recorded decisions", async () => {
    const progress: boolean[] = [];
    for await (const { complete, questions } of admin.simulations.progress({ changes: put("INACTIVE") })) {
      progress.push(complete);
      if (complete) expect(questions[0]?.lost.count).toBe(300);
    }
    expect(progress.at(-1)).toBe(true);
    const simulation = await admin.simulations.simulate({ changes: put("INACTIVE"), budget_ms: 8_000 });
    expect(simulation.questions[0]?.lost.count).toBe(300);
    await ikg.as({ type: "Person", id: "p0" }).can("READ", document("d0"), { join: false });
    const isDecision = ({ type }: { type: string }): boolean => type === "audit.authorization.evaluation";
    const batches = await eventually(
      () => admin.audit.batches().toArray(),
      (found) => found.some(({ data }) => data.some(isDecision)),
      { withinMs: 30_000, everyMs: 250 },
    );
    const records = batches.flatMap(({ data }) => data.filter(isDecision)).slice(-1);
    const replay = await admin.simulations.replay({ records });
    expect(replay.results).toHaveLength(1);
    expect((await admin.audit.manifests().toArray()).length).toBeGreaterThanOrEqual(batches.length);
    expect(await admin.audit.checkpoints().toArray()).toEqual(expect.any(Array));
  });
});
