import { BaseSettings, CalledSettings } from "@ikg/service";
import { keysOfTests } from "../../../stack/src/testing/internal-contexts.ts";
import { neo4jVariables, requireVariable } from "../../../stack/src/testing/test-environment.ts";

/** Settings of a service on the Neo4j and Redis of the environment. */
export const testSettings = () =>
  BaseSettings.extend(CalledSettings.shape).parse({
    PORT: "0",
    LOG_LEVEL: "error",
    ...neo4jVariables(),
    REDIS_URL: requireVariable("REDIS_URL"),
    ...keysOfTests,
    DRAIN_DELAY_MS: "0",
  });
