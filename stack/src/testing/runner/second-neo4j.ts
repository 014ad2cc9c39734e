/** Tests of projects with databases of their own, for which a second Neo4j is started. */
import { withExtraNeo4j } from "../../backend.ts";
import { second } from "../../stores/neo4j.ts";
import type { Session } from "../../session.ts";
import type { OwnNeo4j, StackSettings } from "../../settings.ts";
import { prepareExtra } from "../../system/prepare.ts";
import { versions } from "../../versions.ts";
import { nothingRan, type Summary } from "./report.ts";

/** True for tests that want a second server. */
export const needsSecond = (file: string): boolean => file.endsWith("own-database.test.ts");

/**
 * Runs tests with a second server, which their environment names.
 *
 * @returns what they counted; one test skipped when a person's own Neo4j is the one to test on.
 * @throws UserError when the server cannot be started
 */
export const runOnSecond = async (
  { suite }: Session,
  settings: Pick<StackSettings, "neo4j" | "secondNeo4j">,
  run: (env: NodeJS.ProcessEnv) => Promise<Summary>,
): Promise<Summary> => {
  const skipped = (reason: string): Summary => ({
    ...nothingRan,
    skipped: 1,
    skippedNames: [`projects with their own database: ${reason}`],
  });
  const runOn = ({ uri, username, password }: OwnNeo4j) =>
    run({
      SECOND_NEO4J_URI: uri,
      SECOND_NEO4J_USERNAME: username,
      SECOND_NEO4J_PASSWORD: password,
    });
  if (settings.secondNeo4j) return runOn(settings.secondNeo4j);
  if (settings.neo4j) return skipped("NEO4J_URI names the one server to test on");
  const java = await prepareExtra(versions, suite.signal);
  if (!java) return skipped(`no Java ${versions.java.join(" or ")} is found`);
  return withExtraNeo4j(suite, java, second, runOn);
};
