import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { type ConfigsUnderTest, startConfigs } from "./configs-under-test.ts";
import { freshName, type Tenant } from "./tenant.ts";
import { ciqText, kbacText, queryText } from "./policy-texts.ts";
import { populate, type Population } from "./populate.ts";

let configs: ConfigsUnderTest;
let tenant: Tenant;
let ours: Population;

beforeAll(async () => {
  configs = await startConfigs();
  tenant = await configs.tenant();
  ours = await populate(tenant);
});
afterAll(() => configs.close());

const policy = (more: object) => ({
  project_id: ours.project.id,
  name: freshName(),
  status: "ACTIVE",
  policy: kbacText(),
  ...more,
});
const query = (more: object) => ({
  project_id: ours.project.id,
  name: freshName(),
  status: "ACTIVE",
  policy_id: ours.ciq.id,
  query: queryText(),
  ...more,
});
const write = kbacText().replace("[:OWNS]->(resource:Car)", "[:OWNS]->(resource:Car) DETACH DELETE resource");

describe("authorization policies", () => {
  it.each([
    [
      "a rule of the database that the language does not have",
      "MATCH (subject:Person)-[:OWNS]->(x) WITH subject, x.property.a + count(x) AS n MATCH (resource:Car) WHERE n > 1",
    ],
    [
      "a subquery that calls a variable as the text after it does",
      "CALL { MATCH (subject) RETURN false AS known } MATCH (resource)-[]-(subject)",
    ],
    [
      "a plan that the database finds wrong",
      "MATCH (subject) WHERE 3 < 2 CALL { MATCH (resource) RETURN resource }",
    ],
  ])("are refused when the database cannot plan them: %s", async (_name, cypher) => {
    const version = { policy_version: "3.0-kbac" };
    const text = JSON.stringify({
      ...(JSON.parse(kbacText()) as object),
      meta: version,
      condition: { cypher },
    });
    const answer = await tenant.send("POST", "/authorization-policies", policy({ policy: text }));
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual(["policy.condition.cypher: the database cannot plan this pattern"]);
  });

  it("come back byte for byte", async () => {
    const text = ` ${kbacText()}\n\t`;
    const made = await tenant.make(
      "/authorization-policies",
      policy({ policy: text, tags: ["b", "a", "b"] }),
    );
    const read = await tenant.send("GET", `/authorization-policies/${made.id}`);
    expect(read.body).toMatchObject({ policy: text, status: "ACTIVE", tags: ["b", "a", "b"] });
    const list = await tenant.send("GET", `/authorization-policies?project_id=${ours.project.id}`);
    expect((list.body["data"] as { policy: string }[]).every((record) => record.policy === "")).toBe(true);
  });

  it.each(["ACTIVE", "INACTIVE"])("are judged when they are saved as %s", async (status) => {
    for (const text of [
      write,
      "{}",
      "not json",
      "[]",
      kbacText().replace("2.0-kbac", "9.0-kbac"),
      `{"__proto__":1}`,
    ]) {
      const answer = await tenant.send("POST", "/authorization-policies", policy({ status, policy: text }));
      expect([text, answer.status]).toEqual([text, 422]);
      expect(answer.body.errors?.length).toBeGreaterThan(0);
      for (const error of answer.body.errors ?? []) expect(error).toMatch(/^policy[.:]/);
    }
  });

  it("say faults of the text beside faults of other fields", async () => {
    const answer = await tenant.send("POST", "/authorization-policies", {
      ...policy({ policy: "{}" }),
      name: "Bad Name",
      tags: 1,
    });
    const at = (answer.body.errors ?? []).map((error) => error.split(/[:.]/)[0]);
    expect(at).toEqual(expect.arrayContaining(["name", "tags", "policy"]));
  });

  it("are stored as they are while they are drafts", async () => {
    for (const text of ["x", write, "\0\u2028'", "{"]) {
      const made = await tenant.make("/authorization-policies", policy({ status: "DRAFT", policy: text }));
      expect(made.body["policy"]).toBe(text);
    }
  });

  it("want text, not an object, and not too much of it", async () => {
    for (const text of [{}, null, 5, "", "x".repeat(512_001)]) {
      const answer = await tenant.send(
        "POST",
        "/authorization-policies",
        policy({ policy: text, status: "DRAFT" }),
      );
      expect(answer.status).toBe(422);
    }
    const large = await tenant.make(
      "/authorization-policies",
      policy({ policy: "é".repeat(512_000), status: "DRAFT" }),
    );
    const read = await tenant.send("GET", `/authorization-policies/${large.id}`);
    expect(read.body["policy"]).toBe("é".repeat(512_000));
    const tooLarge = await tenant.send(
      "POST",
      "/authorization-policies",
      policy({ policy: "x".repeat(3_000_000) }),
    );
    expect([tooLarge.status, tooLarge.body]).toEqual([413, { message: "Content Too Large" }]);
  });

  it("are listed by kind", async () => {
    const project = await tenant.project();
    const make = (text: string, status = "ACTIVE") =>
      tenant.make("/authorization-policies", {
        project_id: project.id,
        name: freshName(),
        policy: text,
        status,
      });
    const kbac = [
      await make(kbacText()),
      await make(kbacText("WRITE").replace("2.0", "3.0")),
      await make(write, "DRAFT"),
    ];
    const ciq = [await make(ciqText())];
    await make("neither", "DRAFT");
    const list = async (type: string): Promise<unknown[]> => {
      const answer = await tenant.send(
        "GET",
        `/authorization-policies?project_id=${project.id}&type=${type}`,
      );
      return (answer.body["data"] as { id: string }[]).map((record) => record.id);
    };
    expect(await list("kbac")).toEqual(kbac.map((made) => made.id));
    expect(await list("ciq")).toEqual(ciq.map((made) => made.id));
    for (const type of ["", "KBAC", "other"])
      expect((await tenant.send("GET", `/authorization-policies?type=${type}`)).status).toBe(400);
    expect((await tenant.send("GET", "/authorization-policies?type=ciq")).status).toBe(200);
  });
});

describe("knowledge queries", () => {
  const refused = async (body: object, status: number, errors: unknown): Promise<void> => {
    const answer = await tenant.send("POST", "/knowledge-queries", body);
    expect([answer.status, answer.body.errors]).toEqual([status, errors]);
  };

  it("are judged against their policy", async () => {
    const secret = JSON.stringify({ nodes: ["car.property.secret", "boat.external_id"] });
    const answer = await tenant.send("POST", "/knowledge-queries", query({ query: secret }));
    expect(answer.status).toBe(422);
    for (const error of answer.body.errors ?? []) expect(error).toMatch(/^query/);
    const draft = await tenant.make("/knowledge-queries", query({ query: secret, status: "DRAFT" }));
    expect(draft.body).toMatchObject({ query: secret, status: "DRAFT" });
  });

  it("want a CIQ policy of the same project that is valid", async () => {
    const other = await populate(tenant);
    const foreign = await populate(await configs.tenant());
    const draft = await tenant.make(
      "/authorization-policies",
      policy({ policy: ciqText(), status: "DRAFT" }),
    );
    const inactive = await tenant.make(
      "/authorization-policies",
      policy({ policy: ciqText(), status: "INACTIVE" }),
    );
    await refused(query({ policy_id: ours.kbac.id }), 422, ["policy_id: CIQ policy expected"]);
    await refused(query({ policy_id: other.ciq.id }), 422, [
      "policy_id: policy of the same project expected",
    ]);
    await refused(query({ policy_id: foreign.ciq.id }), 404, ["policy_id: not found"]);
    await refused(query({ policy_id: newGid("authorization_policy") }), 404, ["policy_id: not found"]);
    await refused(query({ policy_id: ours.project.id }), 422, [
      "policy_id: gid of a record of kind authorization policy expected",
    ]);
    for (const status of ["ACTIVE", "INACTIVE"])
      await refused(query({ policy_id: draft.id, status }), 422, ["policy_id: policy is not valid"]);
    await tenant.make("/knowledge-queries", query({ policy_id: draft.id, status: "DRAFT" }));
    await tenant.make("/knowledge-queries", query({ policy_id: inactive.id }));
  });

  it("keep their policy from being removed", async () => {
    const ciq = await tenant.make("/authorization-policies", policy({ policy: ciqText() }));
    const made = await tenant.make("/knowledge-queries", query({ policy_id: ciq.id }));
    const blocked = await tenant.send("DELETE", `/authorization-policies/${ciq.id}`);
    expect([blocked.status, blocked.body]).toEqual([
      409,
      { message: "Conflict", errors: [`id: used by knowledge query ${made.name}`] },
    ]);
    expect((await tenant.send("DELETE", `/knowledge-queries/${made.id}`)).status).toBe(200);
    expect((await tenant.send("DELETE", `/authorization-policies/${ciq.id}`)).status).toBe(200);
  });
});

describe("token introspects", () => {
  it("are one for each issuer and audience of a project", async () => {
    const { project, introspect } = ours;
    const { jwt_matcher } = introspect.body;
    const body = { project_id: project.id, name: freshName(), jwt_matcher, ikg_node_type: "Person" };
    const answer = await tenant.send("POST", "/token-introspects", body);
    expect([answer.status, answer.body.errors]).toEqual([
      409,
      ["jwt_matcher: the project has a configuration for this issuer and audience"],
    ]);
    const other = await tenant.project();
    const made = await tenant.make("/token-introspects", { ...body, project_id: other.id });
    expect(made.body).toEqual({
      ...made.body,
      jwt_matcher,
      claims_mapping: {},
      perform_upsert: false,
      ikg_node_type: "Person",
    });
    expect(made.body).not.toHaveProperty("offline_validation");
    expect(made.body).not.toHaveProperty("sub_claim");
    const fresh = {
      ...body,
      name: freshName(),
      jwt_matcher: { issuer: "https://new.example", audience: "a" },
      project_id: other.id,
    };
    const answers = await Promise.all(
      ["one", "two", "three"].map((name) => tenant.send("POST", "/token-introspects", { ...fresh, name })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  it("come back as they were written", async () => {
    const read = await tenant.send("GET", `/token-introspects/${ours.introspect.id}`);
    expect(read.body).toMatchObject({
      sub_claim: { selector: "uid" },
      claims_mapping: { email: { selector: "mail" } },
    });
    const body = {
      project_id: ours.project.id,
      name: freshName(),
      jwt_matcher: { issuer: "https://empty.example", audience: "a" },
      offline_validation: {},
      sub_claim: "email",
      ikg_node_type: "Person",
    };
    expect((await tenant.make("/token-introspects", body)).body).toMatchObject({
      offline_validation: {},
      sub_claim: "email",
    });
  });

  it("say every fault of their parts together", async () => {
    const answer = await tenant.send("POST", "/token-introspects", {
      project_id: ours.project.id,
      name: freshName(),
      jwt_matcher: { issuer: "http://issuer.example", audience: "a" },
      opaque_matcher: { hint: "" },
      offline_validation: {},
      online_validation: {},
      perform_upsert: 1,
      ikg_node_type: "_Person",
    });
    expect(answer.body.errors?.map((error) => error.split(":")[0])).toEqual(
      expect.arrayContaining([
        "jwt_matcher.issuer",
        "opaque_matcher.hint",
        "opaque_matcher",
        "online_validation",
        "perform_upsert",
        "ikg_node_type",
      ]),
    );
  });
});
