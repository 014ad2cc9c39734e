/** Filters in memory, beside the same tests written by hand. */
import { bindValues, compileKbac, evaluateFilter } from "@ikg/policy-core";
import { timeOf } from "./time.ts";

const leaf = (attribute: string, operator: string, value?: unknown): object => ({
  attribute,
  operator,
  ...(value === undefined ? {} : { value }),
});

const leaves = [
  leaf("$token.scope", "CONTAINS", "turbine:operate"),
  leaf("$token.auth_age", "<=", 600),
  leaf("$channel", "IN", ["desk", "phone", "site"]),
  leaf("$token.act.sub", "IS NOT NULL"),
  leaf("$token.email", "ENDS WITH", "wind.example"),
  leaf("$level", ">=", 3),
  leaf("$token.iss", "=", "https://issuer.example"),
  leaf("$token.acr", "<>", "low"),
];

const token = {
  scope: "turbine:read turbine:operate",
  auth_age: 40,
  act: { sub: "agent-7" },
  email: "ada@wind.example",
  iss: "https://issuer.example",
  acr: "high",
};

const inputParams = { channel: "desk", level: 4 };

export interface FilterFigures {
  /** leaves per second, values bound beforehand */
  readonly leaves: number;
  /** leaves per second with the binding of the values of each request */
  readonly bound: number;
  /** the same tests as a function written by hand */
  readonly baseline: number;
}

const byHand = (claims: typeof token, given: typeof inputParams): boolean =>
  claims.scope.includes("turbine:operate") &&
  claims.auth_age <= 600 &&
  ["desk", "phone", "site"].includes(given.channel) &&
  claims.act?.sub !== undefined &&
  claims.email.endsWith("wind.example") &&
  given.level >= 3 &&
  claims.iss === "https://issuer.example" &&
  claims.acr !== "low";

export const measureFilters = (): FilterFigures => {
  const checked = compileKbac(
    JSON.stringify({
      meta: { policy_version: "2.0-kbac" },
      subject: { type: "Engineer" },
      actions: ["OPERATE"],
      resource: { type: "Turbine" },
      condition: {
        cypher: "MATCH (subject), (resource)",
        filter: { operator: "AND", operands: leaves },
      },
    }),
  );
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  if (checked.value.filter === undefined) throw new Error("the policy of the measurement has no filter");
  const { filter, needs } = checked.value.filter;
  const inputs = { inputParams, token };
  const values = bindValues(needs, inputs);
  if (evaluateFilter(filter, values).truth !== true)
    throw new Error("the filter of the measurement is not true");
  const perSecond = (ms: number): number => (leaves.length / ms) * 1000;
  return {
    leaves: perSecond(timeOf(() => evaluateFilter(filter, values), 200, 5)),
    bound: perSecond(timeOf(() => evaluateFilter(filter, bindValues(needs, inputs)), 200, 5)),
    baseline: perSecond(timeOf(() => byHand(token, inputParams), 200, 5)),
  };
};
