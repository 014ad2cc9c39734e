/** Pages of a read, beside the query by hand and beside the other library. */
import { type Ask, inTurn, run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns, type Work } from "../../../stack/src/measurement/turns.ts";
import { atMost, countText, type Line, msText, reported } from "../targets.ts";
import { besideLines } from "./beside.ts";
import { targets, plan } from "./plan.ts";
import type { Ways } from "./ways.ts";

const question = { expected: true } as const;

/** Over and over by one caller; an answer with another number of rows ends the measurement. */
const repeat = (rows: number, read: () => Promise<number>): Work => {
  const ask: Ask<typeof question> = async () => (await read()) === rows;
  return (ms) => run(ask, inTurn([question]), 1, ms);
};

const measureRows = async (
  { driver, bare, ciq, gateway, graphql }: Ways,
  rows: number,
): Promise<readonly Line[]> => {
  const title = `${countText(rows)} ${rows === 1 ? "row" : "rows"}`;
  const turns = await takeTurns(
    {
      driver: repeat(rows, async () => (await driver.page(rows)).length),
      bare: repeat(rows, async () => (await bare.page(rows)).length),
      ciq: repeat(rows, () => ciq.page("documents", rows, rows)),
      gateway: repeat(rows, () => gateway.page("documents", rows, rows)),
      graphql: repeat(rows, () => graphql.read(rows)),
    },
    plan.rounds,
    title,
  );
  return besideLines(title, turns, targets.read.get(rows) ?? 0);
};

/** Fields that are not selected cost nothing; selected ones cost their share. */
const measureWidth = async ({ driver, ciq }: Ways): Promise<readonly Line[]> => {
  const rows = 100;
  const page = (query: "titles" | "leaflets" | "documents" | "everything"): Work =>
    repeat(rows, () => ciq.page(query, rows, rows));
  const turns = await takeTurns(
    {
      leaflets: page("leaflets"),
      titles: page("titles"),
      documents: page("documents"),
      everything: page("everything"),
      leafletsByHand: repeat(rows, async () => (await driver.titles("Leaflet", rows)).length),
      titlesByHand: repeat(rows, async () => (await driver.titles("Document", rows)).length),
    },
    plan.rounds,
    "columns",
  );
  const baseline = `nodes with one property: ${msText(turns.summary("leaflets").p50)}`;
  const grownByHand = turns.ratio("titlesByHand", "leafletsByHand", "p50");
  const line = (what: string, query: "titles" | "documents" | "everything"): Line => {
    const ratio = turns.ratio(query, "leaflets", "p50");
    // What a wider node costs the database itself is no cost of the projection.
    const judged = query === "titles" ? atMost(ratio, grownByHand) : reported(ratio);
    return { what, figure: msText(turns.summary(query).p50), ...judged, baseline };
  };
  return [
    line(`100 rows of 1 path of nodes with ${plan.properties + 2} properties, p50`, "titles"),
    {
      what: "- the same by hand",
      figure: msText(turns.summary("titlesByHand").p50),
      ...reported(grownByHand),
      baseline: `nodes with one property: ${msText(turns.summary("leafletsByHand").p50)}`,
    },
    line("- of 3 paths", "documents"),
    line(`- of ${plan.properties + 3} paths`, "everything"),
  ];
};

const measurePages = async ({ ciq }: Ways): Promise<readonly Line[]> => {
  const size = plan.pageSize;
  const page = (offset: number): Work => repeat(size, () => ciq.page("documents", plan.deep, size, offset));
  const turns = await takeTurns({ first: page(0), last: page(plan.deep - size) }, plan.rounds, "pages");
  return [
    {
      what: `page 100 of ${countText(plan.deep)} rows, p50`,
      figure: msText(turns.summary("last").p50),
      ...atMost(turns.ratio("last", "first", "p50"), targets.deepPage),
      baseline: `page 1: ${msText(turns.summary("first").p50)}`,
    },
  ];
};

export const measureReads = async (ways: Ways): Promise<readonly Line[]> => {
  const lines: Line[] = [];
  for (const rows of plan.readers) lines.push(...(await measureRows(ways, rows)));
  return [...lines, ...(await measureWidth(ways)), ...(await measurePages(ways))];
};
