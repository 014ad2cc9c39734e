/** A setting of the backend that the test runner provides. */
export const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "")
    throw new Error(
      `${name} is not set: integration tests need a Neo4j and a Redis (npm test provides them)`,
    );
  return value;
};
