import { describe, expect, it } from "@jest/globals";
import type { z } from "zod";
import { newGid } from "../gid.ts";
import { faultsOf } from "../parse.ts";
import { applicationAgentCredentialCollection } from "./application-agent-credential.ts";
import { applicationAgentCollection } from "./application-agent.ts";
import { applicationCollection } from "./application.ts";
import { authorizationPolicyCollection } from "./authorization-policy.ts";
import { knowledgeQueryCollection } from "./knowledge-query.ts";
import { projectCollection } from "./project.ts";

const organization = newGid("organization");
const project = newGid("project");
const faults = (schema: z.ZodType, body: unknown): string[] => {
  const result = schema.safeParse(body, { reportInput: true });
  return result.success ? [] : faultsOf(result.error);
};

describe("common fields", () => {
  const base = { project_id: project, name: "shop" };

  it("counts null and empty texts as absent", () => {
    const body = applicationCollection.create.parse({
      ...base,
      display_name: "",
      description: null,
      unknown: 1,
    });
    expect(JSON.parse(JSON.stringify(body))).toEqual(base);
  });

  it.each([
    ["a"],
    ["A1"],
    ["1a"],
    ["a-"],
    ["a_b"],
    ["-a"],
    ["a b"],
    ["a'b"],
    ["__proto__"],
    ["a".repeat(255)],
    ["a\n"],
    [""],
  ])("refuses the name %j", (name) =>
    expect(faults(applicationCollection.create, { ...base, name })).not.toEqual([]),
  );

  it.each(["ab", "a1", "a--b", "a".repeat(254)])("takes the name %s", (name) =>
    expect(faults(applicationCollection.create, { ...base, name })).toEqual([]),
  );

  it("says every fault of a body", () =>
    expect(faults(applicationCollection.create, { name: 7, display_name: "x", description: "y" })).toEqual([
      "project_id: required",
      "name: string expected",
      "display_name: 2-254 characters",
      "description: 2-65000 characters",
    ]));

  it("counts code points", () => {
    expect(faults(applicationCollection.create, { ...base, display_name: "😀".repeat(254) })).toEqual([]);
    expect(faults(applicationCollection.create, { ...base, display_name: "😀" })).not.toEqual([]);
  });

  it("refuses half a character", () => {
    expect(faults(applicationCollection.create, { ...base, description: "ab\uD800" })).toEqual([
      "description: text without lone surrogates expected",
    ]);
    expect(
      faults(authorizationPolicyCollection.create, { ...base, policy: "\uDC00", status: "DRAFT" }),
    ).toEqual(["policy: text without lone surrogates expected"]);
  });

  it("refuses malformed gids and gids of another kind", () => {
    for (const id of ["gid:x", newGid("application"), "", 1, `${project}'`])
      expect(faults(applicationCollection.create, { ...base, project_id: id })).toHaveLength(1);
  });
});

describe("projects", () => {
  const base = { organization_id: organization, name: "shop" };

  it("has a default size and no default region of its own", () =>
    expect(projectCollection.create.parse(base)).toEqual({ ...base, ikg_size: "2GB" }));

  it("judges fields and their combination together", () =>
    expect(
      faults(projectCollection.create, {
        ...base,
        name: "A",
        region: "eu",
        replica_region: "eu",
        ikg_size: "3GB",
        purpose: "test",
        db_connection: {},
      }),
    ).toEqual([
      expect.stringMatching(/^name: 2-254/),
      expect.stringMatching(/^name: lower-case/),
      expect.stringMatching(/^ikg_size: one of 2GB/),
      "purpose: one of TEST",
      "db_connection.url: required",
      "db_connection.username: required",
      "db_connection.password: required",
      "replica_region: must differ from region",
    ]));

  it.each([
    ["url", { url: "bolt://ann@db.example" }, "must not contain a user name or password"],
    [
      "composite_db_name",
      { alias_mapping: "global=db1" },
      "give composite_db_name and alias_mapping together, or neither",
    ],
    [
      "alias_mapping",
      { composite_db_name: "hospital" },
      "give composite_db_name and alias_mapping together, or neither",
    ],
  ])("refuses %s of the connection %j", (field, more, message) =>
    expect(
      faults(projectCollection.create, {
        ...base,
        db_connection: { url: "bolt://db.example", username: "neo4j", password: "secret", ...more },
      }),
    ).toEqual([`db_connection.${field}: ${message}`]),
  );
});

describe("agents and credentials", () => {
  const agent = { application_id: newGid("application"), name: "agent" };

  it("removes doubled permissions and keeps the order", () =>
    expect(
      applicationAgentCollection.create.parse({
        ...agent,
        api_permissions: ["ContXIQ", "Capture", "ContXIQ"],
      }).api_permissions,
    ).toEqual(["ContXIQ", "Capture"]));

  it.each([[[]], ["Capture"], [null], [["Capture", "Root"]], [[1]], [undefined]])(
    "refuses permissions %j",
    (value) =>
      expect(faults(applicationAgentCollection.create, { ...agent, api_permissions: value })).toHaveLength(1),
  );

  it("brings the expiry to UTC", () =>
    expect(
      applicationAgentCredentialCollection.create.parse({
        application_agent_id: newGid("application_agent"),
        expire_time: "2030-01-01T00:00:00+01:00",
        public_key_pem: "ignored",
      }).expire_time,
    ).toBe("2029-12-31T23:00:00.000Z"));
});

describe("policies and queries", () => {
  const base = { project_id: project, name: "pol" };

  it("wants the text as a string", () => {
    expect(faults(authorizationPolicyCollection.create, { ...base, policy: {}, status: "ACTIVE" })).toEqual([
      "policy: string expected",
    ]);
    expect(faults(authorizationPolicyCollection.create, { ...base, policy: "", status: "DRAFT" })).toEqual([
      "policy: 1-512000 characters",
    ]);
    expect(
      faults(authorizationPolicyCollection.create, { ...base, policy: "x".repeat(512_001), status: "DRAFT" }),
    ).toHaveLength(1);
    expect(
      faults(authorizationPolicyCollection.create, {
        ...base,
        policy: "😀".repeat(512_000),
        status: "DRAFT",
      }),
    ).toEqual([]);
  });

  it("limits tags", () => {
    const tags = (value: unknown): string[] =>
      faults(authorizationPolicyCollection.create, { ...base, policy: "x", status: "DRAFT", tags: value });
    expect(tags(Array(20).fill("t"))).toEqual([]);
    expect(tags(Array(21).fill("t"))).toEqual(["tags: at most 20 entries"]);
    expect(tags(["", "x".repeat(65)])).toEqual(["tags[0]: 1-64 characters", "tags[1]: 1-64 characters"]);
  });

  it("wants a policy's gid and a status", () =>
    expect(
      faults(knowledgeQueryCollection.create, { ...base, policy_id: project, query: "{}", status: "active" }),
    ).toEqual([
      "policy_id: gid of a record of kind authorization policy expected",
      "status: one of ACTIVE, INACTIVE, DRAFT",
    ]));
});
