import neo4j, { type Driver, type ProfiledPlan } from "neo4j-driver";
import type { Row } from "@ikg/graph";
import { requireVariable } from "../../../../stack/src/testing/test-environment.ts";

/** A driver of its own: what a statement did is in the summary, which the services do not need. */
export const openProfiler = (): Driver =>
  neo4j.driver(
    requireVariable("NEO4J_URI"),
    neo4j.auth.basic(requireVariable("NEO4J_USERNAME"), requireVariable("NEO4J_PASSWORD")),
    { disableLosslessIntegers: true },
  );

const sum = ({ dbHits, children }: ProfiledPlan): number =>
  dbHits + children.reduce((total, child) => total + sum(child), 0);

/** What running a statement once cost the store, and its rows. */
export const profile = async (
  driver: Driver,
  text: string,
  params: Row,
): Promise<{ readonly hits: number; readonly rows: readonly Row[] }> => {
  const session = driver.session({ database: "neo4j", defaultAccessMode: neo4j.session.READ });
  try {
    const { records, summary } = await session.run(`PROFILE ${text}`, integers(params));
    if (summary.profile === false) throw new Error("the database gave no profile");
    return { hits: sum(summary.profile), rows: records.map((record) => record.toObject()) };
  } finally {
    await session.close();
  }
};

/** JavaScript has one kind of number; the database wants whole ones where it counts. */
const integers = (value: Row): Row => {
  const go = (each: unknown): unknown => {
    if (typeof each === "number" && Number.isInteger(each)) return neo4j.int(each);
    if (Array.isArray(each)) return each.map(go);
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, member]) => [key, go(member)]));
  };
  return go(value) as Row; // a map goes in, a map comes out
};
