/** What the test runner passes to tests in their environment. */

/** A variable that names what tests run on. @throws Error when it is not set */
export const requireVariable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "")
    throw new Error(`${name} is not set: npm test sets it, SECOND_* for tests named own-database`);
  return value;
};

/** True in `npm run test:long`. */
export const isLongRun = (): boolean => process.env["IKG_LONG"] === "1";
