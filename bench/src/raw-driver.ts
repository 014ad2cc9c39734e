/** Statements as the raw driver sends them: auto-commit in READ mode with the database named, one round trip. */
import neo4j, { type Driver } from "neo4j-driver";
import type { Target } from "./settings.ts";

export const openDriver = ({ neo4j: { uri, username, password } }: Target, connections: number): Driver =>
  neo4j.driver(uri, neo4j.auth.basic(username, password), {
    disableLosslessIntegers: true,
    maxConnectionPoolSize: connections,
  });

/** @returns the rows of one READ statement */
export const read = async <R extends object>(
  driver: Driver,
  text: string,
  params: Readonly<Record<string, unknown>>,
): Promise<readonly R[]> => {
  const session = driver.session({ database: "neo4j", defaultAccessMode: neo4j.session.READ });
  try {
    const { records } = await session.run(text, params);
    return records.map((record) => record.toObject() as R); // the columns of the text
  } finally {
    await session.close();
  }
};
