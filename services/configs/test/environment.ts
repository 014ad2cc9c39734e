import { randomBytes } from "node:crypto";
import { keysOfTests } from "../../../stack/src/testing/internal-contexts.ts";
import { neo4jVariables, requireVariable } from "../../../stack/src/testing/test-environment.ts";
import { ConfigsSettings } from "../src/settings.ts";

/** The environment of a configs process on the Neo4j and Redis of the test, with keys of its own. */
export const environmentOfTest = (): Record<string, string> => ({
  PORT: "0",
  LOG_LEVEL: "error",
  ...neo4jVariables(),
  REDIS_URL: requireVariable("REDIS_URL"),
  ...keysOfTests,
  DRAIN_DELAY_MS: "0",
  CREDENTIAL_PEPPER: randomBytes(32).toString("base64"),
  CONFIG_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  PUBLIC_URL: "https://ikg.example",
});

/** Further environment of a Node process that a test starts: code that this process has compiled is not compiled again. */
export const environmentOfProcess = (): Record<string, string> => {
  const cache = process.env["NODE_COMPILE_CACHE"];
  return {
    PATH: process.env["PATH"] ?? "",
    ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
  };
};

export const settingsOfTest = (): ConfigsSettings => ConfigsSettings.parse(environmentOfTest());
