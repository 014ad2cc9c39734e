import type { Graph, Row } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { bindRow, compileKbac, type Inputs, type KbacPolicy } from "../src/index.ts";
import { decideStatement, type DecisionEnd, searchStatement } from "../src/statements/index.ts";
import { options, type TestEdge, type TestNode } from "./graph.ts";

/** A hospital: the sample domain of these tests. */
export const hospitalNodes: readonly TestNode[] = [
  { type: "Nurse", id: "n1", properties: { level: 3, assigned: ["c1", "c3"], name: "Ada" } },
  { type: "Nurse", id: "n2", properties: { level: 1, name: "Bo" } },
  { type: "Ward", id: "w1", properties: { name: "East", _secret: "x" } },
  { type: "Ward", id: "w2", properties: { name: "West" } },
  { type: "Chart", id: "c1", properties: { risk: 1, title: "One", type: "note" } },
  { type: "Chart", id: "c2", properties: { risk: 5, title: "Two" } },
  { type: "Chart", id: "c3", properties: { risk: 2 } },
];

export const hospitalEdges: readonly TestEdge[] = [
  ["Nurse/n1", "ON", "Ward/w1"],
  ["Nurse/n1", "ON", "Ward/w2"],
  ["Nurse/n2", "ON", "Ward/w2"],
  ["Ward/w1", "HOLDS", "Chart/c1", { since: 2020 }],
  ["Ward/w1", "HOLDS", "Chart/c2", { since: 2021 }],
  ["Ward/w2", "HOLDS", "Chart/c3", { since: 2022 }],
  ["Nurse/n2", "SIGNED", "Chart/c3", { shift: "night" }],
];

export const nurses = ["n1", "n2"];
export const charts = ["c1", "c2", "c3"];

/** The other tenant: the same data, and more of it. */
export const otherNodes: readonly TestNode[] = [
  ...hospitalNodes,
  { type: "Chart", id: "c9", properties: { risk: 0 } },
];
export const otherEdges: readonly TestEdge[] = [
  ...hospitalEdges,
  ["Ward/w1", "HOLDS", "Chart/c9", { since: 1999 }],
];

/** A policy of a nurse about a chart. @throws Error with the faults */
export const chartPolicy = (cypher: string, version: "2.0-kbac" | "3.0-kbac" = "2.0-kbac"): KbacPolicy => {
  const checked = compileKbac(
    JSON.stringify({
      meta: { policy_version: version },
      subject: { type: "Nurse" },
      actions: ["SIGN"],
      resource: { type: "Chart" },
      condition: { cypher },
    }),
  );
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

export const inputs = (changes: Partial<Inputs> = {}): Inputs => ({ inputParams: {}, ...changes });

/** Questions to one project of a graph. */
export const askIn = (graph: Graph, pk: ProjectKey) => {
  const decide = async (
    policies: readonly KbacPolicy[],
    subject: string,
    resource: string,
    given: Inputs = inputs(),
    form: "row" | "plain" = "row",
    requireIdentity = false,
  ): Promise<unknown> => {
    const statement = decideStatement(policies, pk, form, { requireIdentity });
    const values = Object.assign({}, ...policies.map((policy) => bindRow(policy.needs, given))) as Row; // maps of values
    const taking = Object.fromEntries(policies.map((_, index) => [`c${index}`, true]));
    const ends = { s: nodeKey(pk, "Nurse", subject), r: nodeKey(pk, "Chart", resource) };
    const row = { i: 0, ...ends, ...taking, ...values };
    const found =
      form === "row"
        ? await graph.shared.readRow(statement.text, row, options)
        : (await graph.shared.read(statement.text, { __row: row }, options))[0];
    return found?.["granted_by"];
  };

  const search = async (
    policy: KbacPolicy,
    target: DecisionEnd,
    known: string,
    given: Inputs = inputs(),
    page: { readonly after: string; readonly limit: number } = { after: "", limit: 100 },
    requireIdentity = false,
  ): Promise<readonly unknown[]> => {
    const ends =
      target === "resource" ? { s: nodeKey(pk, "Nurse", known) } : { r: nodeKey(pk, "Chart", known) };
    const row = { ...ends, ...page, ...bindRow(policy.needs, given) };
    const text = searchStatement(policy, pk, target, { requireIdentity });
    const rows = await graph.shared.read(text, { __row: row }, options);
    return rows.map(({ id }) => id);
  };

  return { decide, search };
};

export type Asks = ReturnType<typeof askIn>;
