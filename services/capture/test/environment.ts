import { BaseSettings, CalledSettings } from "@ikg/service";
import { keysOfTests } from "../../../stack/src/testing/internal-contexts.ts";
import { requireVariable } from "../../../stack/src/testing/test-environment.ts";

/** Settings of a service on the Neo4j and Redis of the environment. */
export const testSettings = () =>
  BaseSettings.extend(CalledSettings.shape).parse({
    PORT: "0",
    LOG_LEVEL: "error",
    NEO4J_URI: requireVariable("NEO4J_URI"),
    NEO4J_USERNAME: requireVariable("NEO4J_USERNAME"),
    NEO4J_PASSWORD: requireVariable("NEO4J_PASSWORD"),
    REDIS_URL: requireVariable("REDIS_URL"),
    ...keysOfTests,
    DRAIN_DELAY_MS: "0",
  });
