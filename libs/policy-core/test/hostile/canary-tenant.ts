import { randomInt } from "node:crypto";
import type { Graph, Row } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import { dropGraph, freshKey, options, type TestEdge, type TestNode, writeGraph } from "../graph.ts";
import { rowText } from "./row-text.ts";
import { type Run, tenantDigest } from "./tenant-digest.ts";

/**
 * A tenant beside the hostile one, with nodes of the same types and external ids, and with values that are
 * nowhere else: it shows which statements read, count or change the data of another tenant.
 */
export interface CanaryTenant {
  readonly pk: ProjectKey;
  /** Writes its graph, which must not be there. */
  write(): Promise<void>;
  /** Removes its graph if it is there. */
  drop(): Promise<void>;
  /** Its `tenantDigest`. @param run default: reads what is committed */
  digest(run?: Run): Promise<string>;
  /**
   * True when rows hold its key or one of its values: whole or as a list of its characters, forwards or
   * backwards, in any case of letters.
   */
  isIn(rows: readonly Row[]): boolean;
}

const reverse = (text: string): string => Array.from(text).toReversed().join("");

/**
 * A safe integer of 15 digits, which reads the same from its end: `toUpper` and `reverse` do not change
 * it.
 */
const newMark = (): number => {
  const half = String(randomInt(10_000_000, 100_000_000));
  return Number(`${half}${reverse(half.slice(0, -1))}`);
};

/** Names of properties that the drawn policies read, write or delete. */
const propertiesOf = (mark: number): Readonly<Record<string, unknown>> => {
  const text = String(mark);
  return {
    ...{ a: text, name: text, title: text, state: text, text, draft: text, note: text },
    ...{ l: [text], tags: [text], assigned: [text] },
    ...{ x: mark, risk: mark, level: mark },
  };
};

const nodesOf = (mark: number): readonly TestNode[] => {
  const properties = propertiesOf(mark);
  const ids = ["Nurse/n", "Ward/w", "Chart/c1", "Chart/c2", "Chart/c3", "Note/n", `Spy/${mark}`];
  return ids.map((each) => {
    const [type = "", id = ""] = each.split("/");
    return { type, id, properties };
  });
};

const edgesOf = (mark: number): readonly TestEdge[] => {
  const properties = { since: mark, note: String(mark), shift: String(mark), _discriminator: "" };
  const charts = ["Chart/c1", "Chart/c2", "Chart/c3"];
  return [
    ["Nurse/n", "ON", "Ward/w", properties],
    ...charts.map((chart): TestEdge => ["Ward/w", "HOLDS", chart, properties]),
    ["Nurse/n", "SIGNS", "Chart/c1", properties],
    ["Nurse/n", "SIGNED", "Chart/c2", properties],
    ["Note/n", "ABOUT", "Chart/c1", properties],
    [`Spy/${mark}`, "KNOWS", "Nurse/n", properties],
  ];
};

export const openCanaryTenant = (graph: Graph): CanaryTenant => {
  const pk = freshKey();
  const mark = newMark();
  const readCommitted: Run = (text, params) => graph.shared.read(text, params, options);
  return {
    pk,
    write: () => writeGraph(graph, pk, nodesOf(mark), edgesOf(mark)),
    drop: () => dropGraph(graph, pk),
    digest: (run = readCommitted) => tenantDigest(run, pk),
    isIn: (rows) => {
      // Without separators, what is split into a list is one text again.
      const text = rowText(rows)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, "");
      const digits = text.replaceAll(/\D/g, "");
      return text.includes(pk) || text.includes(reverse(pk)) || digits.includes(String(mark));
    },
  };
};
