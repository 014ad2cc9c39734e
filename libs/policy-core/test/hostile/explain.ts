import neo4j, { type Driver } from "neo4j-driver";
import { requireVariable } from "../../../../stack/src/testing/test-environment.ts";

/** A driver of its own: what kind of statement the database takes a text for is in the summary. */
export const openPlanner = (): Driver =>
  neo4j.driver(
    requireVariable("NEO4J_URI"),
    neo4j.auth.basic(requireVariable("NEO4J_USERNAME"), requireVariable("NEO4J_PASSWORD")),
  );

/**
 * What the database takes a text for, without running it: `r` reads and nothing else.
 *
 * @returns the type, or the code of the refusal
 */
export const typeOf = async (driver: Driver, text: string): Promise<string> => {
  const session = driver.session({ database: "neo4j", defaultAccessMode: neo4j.session.READ });
  try {
    const { summary } = await session.run(`EXPLAIN ${text}`, {}, { timeout: 10_000 });
    return summary.queryType;
  } catch (error) {
    // Everything that the driver throws has a code.
    return (error as { readonly code?: string }).code ?? String(error);
  } finally {
    await session.close();
  }
};
