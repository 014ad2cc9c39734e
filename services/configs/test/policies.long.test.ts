import { describe, expect, it } from "@jest/globals";
import { freshName } from "./tenant.ts";
import { ciqText, kbacText } from "./policy-texts.ts";
import { ours, policy, query, refuseQuery, tenant, usePolicies, writingText } from "./policies-under-test.ts";

usePolicies();

describe("authorization policies", () => {
  it("are stored as they are while they are drafts", async () => {
    for (const text of ["x", writingText, "\0\u2028'", "{"]) {
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

  it("say faults of the text beside faults of other fields", async () => {
    const answer = await tenant.send("POST", "/authorization-policies", {
      ...policy({ policy: "{}" }),
      name: "Bad Name",
      tags: 1,
    });
    const at = (answer.body.errors ?? []).map((error) => error.split(/[:.]/)[0]);
    expect(at).toEqual(expect.arrayContaining(["name", "tags", "policy"]));
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
      await make(writingText, "DRAFT"),
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
  it("want a policy that is valid, unless they are drafts", async () => {
    const [draft, inactive] = [
      await tenant.make("/authorization-policies", policy({ policy: ciqText(), status: "DRAFT" })),
      await tenant.make("/authorization-policies", policy({ policy: ciqText(), status: "INACTIVE" })),
    ];
    for (const status of ["ACTIVE", "INACTIVE"])
      await refuseQuery(query({ policy_id: draft.id, status }), 422, ["policy_id: policy is not valid"]);
    await tenant.make("/knowledge-queries", query({ policy_id: draft.id, status: "DRAFT" }));
    await tenant.make("/knowledge-queries", query({ policy_id: inactive.id }));
  });
});

describe("token introspects", () => {
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
