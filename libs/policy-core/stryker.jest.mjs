/** Jest for mutation: the unit tests, which need no database. Paths are relative to the folder of the copy. */
import configuration from "../../jest.config.mjs";

export default {
  ...configuration,
  rootDir: "../..",
  testMatch: ["<rootDir>/libs/policy-core/src/**/*.test.ts"],
  modulePathIgnorePatterns: [],
};
