import { describe, expect, it } from "@jest/globals";
import { bindValues, compileCiq, evaluateFilter } from "@ikg/policy-core";
import { stepUp } from "./step-up.ts";

const challenge = (filter: unknown, token: Record<string, unknown>): { message: string; header: string } => {
  const checked = compileCiq(
    JSON.stringify({
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Nurse" },
      condition: { cypher: "MATCH (subject:Nurse)", token_filter: filter },
    }),
  );
  if (!checked.ok || checked.value.tokenFilter === undefined) throw new Error("not a policy");
  const { filter: tree, needs } = checked.value.tokenFilter;
  const problem = stepUp(evaluateFilter(tree, bindValues(needs, { inputParams: {}, token })));
  expect(problem.status).toBe(401);
  return { message: problem.message, header: problem.headers["WWW-Authenticate"] ?? "" };
};

const fresh = (advice?: Record<string, string>) => ({
  attribute: "$token.auth_age",
  operator: "<=",
  value: 300,
  ...(advice ? { advice } : {}),
});

describe("the challenge of a token_filter", () => {
  it("carries the advice of the leaf and the age it wants", () => {
    const advice = { error: "insufficient_user_authentication", error_description: "Re-authenticate" };
    expect(challenge(fresh(advice), { auth_age: 301 })).toEqual({
      message: "Re-authenticate",
      header:
        'Bearer error="insufficient_user_authentication", error_description="Re-authenticate", max_age="300"',
    });
  });

  it("has defaults without advice", () => {
    const { header, message } = challenge(fresh(), {});
    expect(header).toContain('error="insufficient_user_authentication"');
    expect(header).toContain('max_age="300"');
    expect(message).toBe("the token does not satisfy the policy");
  });

  it("joins what several failing leaves want", () => {
    const filter = {
      operator: "AND",
      operands: [fresh(), { attribute: "$token.acr", operator: "=", value: "gold" }],
    };
    const { header } = challenge(filter, { auth_age: 999, acr: "bronze" });
    expect(header).toContain('max_age="300"');
    expect(header).toContain('acr_values="gold"');
  });

  it("does not ask for what the token must not have", () => {
    const not = (attribute: string, value: string) => ({
      operator: "NOT",
      operands: [{ attribute, operator: "=", value }],
    });
    const filter = { operator: "AND", operands: [not("$token.acr", "bronze"), not("$token.scope", "read")] };
    expect(challenge(filter, { acr: "bronze", scope: "read" }).header).toBe(
      'Bearer error="insufficient_user_authentication", error_description="the token does not satisfy the policy"',
    );
  });

  it("takes the advice of the nearest branch, and lets advice override what is derived", () => {
    const filter = {
      operator: "AND",
      operands: [fresh()],
      advice: { error: "login_again", max_age: "60", hint: "x" },
    };
    const { header } = challenge(filter, { auth_age: 999 });
    expect(header).toContain('error="login_again"');
    expect(header).toContain('max_age="60"');
    expect(header).toContain('hint="x"');
  });

  it("cannot be broken out of", () => {
    const advice = { error: 'a", realm="x', error_description: "line\r\nX-Evil: 1 \\ é", "bad name": "x" };
    const { header } = challenge(fresh(advice), {});
    expect(header).not.toMatch(/[\r\n\\é]/);
    expect(header).not.toContain('realm="');
    expect(header).not.toContain("bad name");
  });
});
