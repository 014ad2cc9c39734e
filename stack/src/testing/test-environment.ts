/** What the test runner passes to tests in their environment. */

/** A variable that names what tests run on. @throws Error when it is not set */
export const requireVariable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "")
    throw new Error(`${name} is not set: npm test sets it, SECOND_* for tests named own-database`);
  return value;
};

/** The database that tests run on, as `connectGraph` takes it. */
export const neo4jOfTests = (): { uri: string; username: string; password: string } => ({
  uri: requireVariable("NEO4J_URI"),
  username: requireVariable("NEO4J_USERNAME"),
  password: requireVariable("NEO4J_PASSWORD"),
});

/** The same as variables of a service. */
export const neo4jVariables = (): Record<"NEO4J_URI" | "NEO4J_USERNAME" | "NEO4J_PASSWORD", string> => ({
  NEO4J_URI: requireVariable("NEO4J_URI"),
  NEO4J_USERNAME: requireVariable("NEO4J_USERNAME"),
  NEO4J_PASSWORD: requireVariable("NEO4J_PASSWORD"),
});

/** True in `npm run test:long`. */
export const isLongRun = (): boolean => process.env["IKG_LONG"] === "1";
