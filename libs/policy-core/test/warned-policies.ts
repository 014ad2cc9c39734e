/** Policies that are compiled to be warned of, and their warnings in a short form. */
import { compileCiq, compileKbac, type CiqPolicy, type KbacPolicy } from "../src/index.ts";
import type { GraphSchema } from "../src/warnings/context.ts";
import type { Warning, WarningCode } from "../src/warnings/warning.ts";

export const kbac = (cypher: string, filter?: unknown, version = "2.0-kbac"): KbacPolicy => {
  const checked = compileKbac(
    JSON.stringify({
      meta: { policy_version: version },
      subject: { type: "Nurse" },
      actions: ["SIGN"],
      resource: { type: "Chart" },
      condition: { cypher, filter },
    }),
  );
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

export const ciq = (cypher: string, filter: unknown = [], tokenFilter?: unknown): CiqPolicy => {
  const checked = compileCiq(
    JSON.stringify({
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "Nurse" },
      condition: { cypher, filter, token_filter: tokenFilter },
      allowed_reads: { nodes: /\bchart\b/.test(cypher) ? ["chart.*"] : [] },
    }),
  );
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

export const leaf = (attribute: string, operator: string, value?: unknown): object => ({
  attribute,
  operator,
  value,
});

export const schema: GraphSchema = {
  nodeTypes: new Map([
    ["Nurse", { properties: new Set(["level", "name"]) }],
    ["Ward", { properties: new Set(["name"]) }],
    ["Chart", { properties: new Set(["risk", "title"]) }],
  ]),
  relationshipTypes: new Set(["ON", "HOLDS"]),
};

export const codesOf = (warnings: readonly Warning[]): readonly WarningCode[] =>
  warnings.map(({ code }) => code);

export const placed = (warnings: readonly Warning[], code: WarningCode): readonly string[] =>
  warnings
    .filter((warning) => warning.code === code)
    .map(({ path, line, column }) => (line === undefined ? path : `${line}:${column ?? 0}`));

export const onWard = "MATCH (subject)-[:ON]->(w:Ward)-[:HOLDS]->(resource)";
export const wards = "MATCH (subject)-[:ON]->(w:Ward)-[:HOLDS]->(chart:Chart)";
