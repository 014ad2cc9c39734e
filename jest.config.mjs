export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "<rootDir>/jest.transform.mjs" },
  testMatch: ["<rootDir>/{libs,services,apps,stack,e2e,bench,docs}/**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/.tools", "<rootDir>/.ikg", "<rootDir>/(libs/client|apps/cli)/dist"],
  testTimeout: 90_000,
  setupFiles: ["<rootDir>/stack/src/testing/use-seed.ts"],
  setupFilesAfterEnv: process.env["IKG_COVERAGE"] ? ["<rootDir>/e2e/src/record-coverage.ts"] : [],
};
