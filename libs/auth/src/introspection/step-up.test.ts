import { describe, expect, it } from "@jest/globals";
import { stepUpOf, stepUpRequired, type UnmetDemand } from "./step-up.ts";

const demand = (fields: Partial<UnmetDemand>): UnmetDemand => ({
  claim: "auth_age",
  operator: "<=",
  value: 300,
  isNegated: false,
  advice: undefined,
  inherited: undefined,
  ...fields,
});
const parameters = (...unmet: UnmetDemand[]) => Object.fromEntries(stepUpOf(unmet).parameters);

describe("a step-up", () => {
  it.each<[string, UnmetDemand[], string | undefined]>([
    ["the demand", [demand({})], "300"],
    ["one less where the age must be below", [demand({ operator: "<" })], "299"],
    ["whole seconds", [demand({ value: 300.5 })], "300"],
    ["whole seconds below", [demand({ operator: "<", value: 300.5 })], "300"],
    ["the smallest of several", [demand({}), demand({ value: 60 }), demand({ value: 90 })], "60"],
    ["never less than nothing", [demand({ operator: "<", value: 0 })], "0"],
    ["nothing for another comparison", [demand({ operator: ">" })], undefined],
    ["nothing for a value of the request", [demand({ value: undefined })], undefined],
    ["nothing for another claim", [demand({ claim: "token_age" })], undefined],
  ])("has as max_age %s", (_name, unmet, expected) => {
    expect(parameters(...unmet)["max_age"]).toBe(expected);
  });

  it("joins what is wanted of acr and scope, in order, each once", () => {
    const unmet = [
      demand({ claim: "acr", operator: "=", value: "gold" }),
      demand({ claim: "acr", operator: "IN", value: ["silver", "gold", 5] }),
      demand({ claim: "acr", operator: "<>", value: "none" }),
      demand({ claim: "scope", operator: "CONTAINS", value: "write" }),
      demand({ claim: "realm.acr", operator: "=", value: "x" }),
    ];
    expect(parameters(...unmet)).toMatchObject({ acr_values: "gold silver", scope: "write" });
  });

  it("asks for nothing that would have to be false, but keeps its text", () => {
    const isNegated = true;
    const advice = { error_description: "No" };
    const unmet = [
      demand({ claim: "acr", operator: "=", value: "bronze", isNegated, advice }),
      demand({ claim: "scope", operator: "CONTAINS", value: "read", isNegated }),
      demand({ isNegated }),
      demand({ claim: "acr", operator: "=", value: "gold" }),
    ];
    expect(parameters(...unmet)).toEqual({
      error: "insufficient_user_authentication",
      error_description: "No",
      acr_values: "gold",
    });
  });

  it("takes error and text of the first demand, its own before those around it", () => {
    const first = demand({
      advice: { error: "own" },
      inherited: { error: "around", error_description: "Text" },
    });
    const later = demand({ advice: { error: "later" } });
    const { message, parameters: given } = stepUpOf([first, later]);
    expect([message, given.get("error"), given.get("error_description")]).toEqual(["Text", "own", "Text"]);
  });

  it("lets advice override what follows from the policy, and add at most ten parameters of plain names", () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${i}`, `${i}`]));
    const advice = { max_age: "5", "Not-a-name": "x", "1st": "x", ...many };
    const given = parameters(demand({ advice }));
    expect(given).toMatchObject({ max_age: "5", p8: "8" });
    for (const name of ["p9", "Not-a-name", "1st"]) expect(given).not.toHaveProperty(name);
  });

  it("is a 401 whose header nothing can break out of", () => {
    const advice = { error_description: 'a"\r\nSet-Cookie: x\\ \u00e9', hint: 'x", realm="y' };
    const problem = stepUpRequired([demand({ advice })]);
    expect([problem.status, problem.headers["WWW-Authenticate"]]).toEqual([
      401,
      'Bearer error="insufficient_user_authentication", error_description="a   Set-Cookie: x   ", max_age="300", hint="x , realm= y"',
    ]);
  });
});
