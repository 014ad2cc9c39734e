import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { refusedCypher } from "../../src/configuration/refused-cypher.ts";
import { trySavePolicy } from "../../src/configuration/save-policy.ts";
import {
  tenant,
  kbac,
  ciq,
  reading,
  deciding,
  create,
  requireUnchanged,
  leaf,
  negated,
  useStoredPolicy,
} from "../../src/fixtures/stored-policy.ts";
import { freshName } from "../../src/fresh-name.ts";
import { configs } from "../../src/requests/configs.ts";
import { hostileTexts } from "../../src/requests/hostile-texts.ts";
import { requireRefusal, requireSound } from "../../src/requests/refusal.ts";

useStoredPolicy();

/** Tokens from which random texts are made. */
const tokens = [
  "MATCH",
  "(subject:Person)",
  "-[:OWNS]->",
  "(resource:Thing)",
  "WHERE",
  "WITH",
  "subject",
  "AS",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "'",
  '"',
  "`",
  "|",
  "*",
  "..",
  ",",
  ".property.x",
  "$p",
  "=",
  "AND",
  "NOT",
  "EXISTS",
  "1",
  "//",
  "/*",
  ":",
  "CALL",
  "RETURN",
  "UNWIND",
  "x",
  "CASE",
  "END",
  "IN",
  "\\u0028",
  "\0",
  "é",
  ";",
  "DELETE",
];

describe("policies", () => {
  it.each(
    refusedCypher.map((text) => [text.length > 120 ? `${text.slice(0, 60)}… (${text.length})` : text, text]),
  )("%j is refused", async (_short, text = "") => {
    for (const policy of [kbac(text), ciq(text)]) {
      const errors = requireRefusal(await trySavePolicy(tenant.projectId, { policy }), 422);
      expect(errors).not.toEqual([]);
      for (const error of errors) expect(error).toMatch(/^policy\.condition\.cypher: \S/);
    }
  });

  it("keywords in texts, names and comments trigger nothing", async () => {
    const where =
      "subject.property.delete = 'CREATE (n)' AND subject.property.`create` <> 'x; DROP' // MERGE\n/* SET */";
    const policy = kbac(`MATCH (subject:Person)-[\`set\`:OWNS]->(resource:Thing) WHERE ${where}`);
    const answer = await trySavePolicy(tenant.projectId, { policy, status: "INACTIVE" });
    expect(answer.status).toBe(201);
    const { id } = answer.body as { id: string };
    requireSound(await configs(`/authorization-policies/${id}`, { method: "DELETE" }));
  });

  const shapes: readonly (readonly [string, unknown])[] = [
    ["no JSON", "{"],
    ["a list", "[]"],
    ["a text", '"x"'],
    ["null", "null"],
    ["nothing", "{}"],
    ["without meta", { ...kbac(deciding), meta: undefined }],
    ["of an unknown version", kbac(deciding, { meta: { policy_version: "4.0-kbac" } })],
    ["of the first generation", kbac(deciding, { meta: { policy_version: "1.0-indykite" } })],
    ["with the old spelling", { ...kbac(deciding), meta: { policyVersion: "2.0-kbac" } }],
    ["with an unknown key", kbac(deciding, { effect: "deny" })],
    ["with __proto__", `{"__proto__":{},${JSON.stringify(kbac(deciding)).slice(1)}`],
    ["without actions", kbac(deciding, { actions: [] })],
    ["with six actions", kbac(deciding, { actions: ["A1", "A2", "A3", "A4", "A5", "A6"] })],
    ["with an action twice", kbac(deciding, { actions: ["READ", "READ"] })],
    ["with an action that holds a blank", kbac(deciding, { actions: ["READ IT"] })],
    ["with two subject types", kbac(deciding, { subject: { type: ["Person", "Robot"] } })],
    ["with a subject type that is none", kbac(deciding, { subject: { type: "Per`son" } })],
    ["with a resource type that differs from the pattern", kbac(deciding, { resource: { type: "Other" } })],
    ["without a condition", kbac(deciding, { condition: undefined })],
    ["with cypher that is no text", kbac(deciding, { condition: { cypher: [deciding] } })],
    [
      "that reads the graph in its filter",
      kbac(deciding, { condition: { cypher: deciding, filter: leaf("subject.external_id", "=", 1) } }),
    ],
    [
      "with an unknown operator",
      kbac(deciding, { condition: { cypher: deciding, filter: leaf("$token.a", "==", 1) } }),
    ],
    [
      "with an operator in lower case",
      kbac(deciding, { condition: { cypher: deciding, filter: leaf("$token.a", "in", [1]) } }),
    ],
    [
      "with IN and no list",
      kbac(deciding, { condition: { cypher: deciding, filter: leaf("$token.a", "IN", 1) } }),
    ],
    [
      "with a filter without a value",
      kbac(deciding, { condition: { cypher: deciding, filter: { operator: "=", attribute: "$a" } } }),
    ],
    [
      "with an empty AND",
      kbac(deciding, { condition: { cypher: deciding, filter: { operator: "AND", operands: [] } } }),
    ],
    ["with a filter of 17 levels", kbac(deciding, { condition: { cypher: deciding, filter: negated(17) } })],
    [
      "with a filter of 30,000 levels",
      `${JSON.stringify(kbac(deciding)).slice(0, -2)},"filter":${'{"operator":"NOT","operands":['.repeat(30_000)}1${"]}".repeat(30_000)}}}`,
    ],
    [
      "with advice that is no text",
      kbac(deciding, {
        condition: { cypher: deciding, filter: { ...leaf("$token.a", "=", 1), advice: { max_age: 5 } } },
      }),
    ],
    ["KBAC with allowed_reads", kbac(deciding, { allowed_reads: { nodes: ["resource.*"] } })],
    ["CIQ with actions", ciq(reading, { actions: ["READ"] })],
    ["CIQ with resource", ciq(reading, { resource: { type: "Thing" } })],
    [
      "CIQ with a path of an unknown alias",
      ciq(reading, { allowed_reads: { nodes: ["other.external_id"] } }),
    ],
    ["CIQ with a property without .property.", ciq(reading, { allowed_reads: { nodes: ["thing.name"] } })],
    ["CIQ with a physical name", ciq(reading, { allowed_reads: { nodes: ["thing._key"] } })],
    ["CIQ with a quoted path", ciq(reading, { allowed_reads: { nodes: ["thing.property.`a`"] } })],
    ["CIQ with an unknown aggregate", ciq(reading, { allowed_reads: { aggregate_values: ["total"] } })],
    [
      "CIQ with a graph path in token_filter",
      ciq(reading, { condition: { cypher: reading, token_filter: leaf("thing.external_id", "=", 1) } }),
    ],
    [
      "CIQ that deletes a protected field",
      ciq(reading, { allowed_deletes: { nodes: ["thing.property.external_id"] } }),
    ],
    [
      "CIQ that creates system nodes",
      ciq(reading, { allowed_upserts: { nodes: { node_types: ["_Application"] } } }),
    ],
    ["with 512,001 characters", `${JSON.stringify(kbac(deciding))}${" ".repeat(512_000)}`],
  ];
  it.each(shapes)("a policy %s is refused", async (_name, policy) => {
    const text = typeof policy === "string" ? policy : JSON.stringify(policy);
    expect(requireRefusal(await trySavePolicy(tenant.projectId, { policy: text }), 422)).not.toEqual([]);
  });

  it("a policy that is an object instead of its text is refused", async () => {
    const json = {
      project_id: tenant.projectId,
      name: freshName("p"),
      policy: kbac(deciding),
      status: "ACTIVE",
    };
    expect(requireRefusal(await create("authorization-policies", json), 422)).toEqual([
      expect.stringMatching(/^policy: /),
    ]);
  });

  it("a draft may say anything and takes part in nothing", async () => {
    for (const policy of ["x", "{", "MATCH (n) DETACH DELETE n", ...hostileTexts]) {
      const answer = await trySavePolicy(tenant.projectId, { policy, status: "DRAFT" });
      requireSound(answer);
      expect(answer).toMatchObject({ status: 201, body: { policy } });
      requireSound(
        await configs(`/authorization-policies/${(answer.body as { id: string }).id}`, { method: "DELETE" }),
      );
    }
  });

  it("every fault of a stage is named together", async () => {
    const policy = kbac(deciding, { actions: [], subject: { type: "x" }, other: 1 });
    const errors = requireRefusal(await trySavePolicy(tenant.projectId, { policy }), 422);
    expect(errors.map((error) => error.replace(/:.*/s, "")).toSorted()).toEqual(
      expect.arrayContaining(["policy.actions", "policy.subject.type"]),
    );
  });

  it("no text at all makes it fail otherwise than by 422", async () => {
    const sentence = fc.array(fc.constantFrom(...tokens), { maxLength: 25 }).map((each) => each.join(" "));
    await fc.assert(
      fc.asyncProperty(fc.array(sentence, { minLength: 5, maxLength: 5 }), async (sentences) => {
        await Promise.all(
          sentences.map(async (text) => {
            // Not ACTIVE: one that happens to be right must not decide anything.
            const answer = await trySavePolicy(tenant.projectId, { policy: kbac(text), status: "INACTIVE" });
            requireSound(answer);
            if (answer.status !== 201) requireRefusal(answer, 422);
            else
              await configs(`/authorization-policies/${(answer.body as { id: string }).id}`, {
                method: "DELETE",
              });
          }),
        );
      }),
      { numRuns: 12 },
    );
  });

  it("nothing of all this is kept", requireUnchanged);
});
