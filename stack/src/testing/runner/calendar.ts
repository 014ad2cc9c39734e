/** The policy statements once more, on the current calendar-versioned release of Neo4j. */
import { say } from "../../../launch/progress.mjs";
import { withExtraNeo4j } from "../../backend.ts";
import { calendar } from "../../stores/neo4j.ts";
import { backendVariables, inheritEnvironment } from "../../services/variables.ts";
import type { Session } from "../../session.ts";
import type { StackSettings } from "../../settings.ts";
import { prepareExtra } from "../../system/prepare.ts";
import { versions } from "../../versions.ts";
import { runMocha } from "./mocha.ts";
import { nothingRan, type Summary } from "./report.ts";
import type { Selection } from "./selection.ts";

/** Tests that run statements of the policy language; those of single texts run on no database. */
const onDatabase =
  /^libs\/policy-core\/test\/((calls|patterns|statements|write)\.test|database\/real-forms\.long\.test)\.ts$/;

/** Generated cases of each test: the server differs, and the language was tried on the other one. */
const fuzzRuns = 40;

export const calendarFiles = ({ files }: Pick<Selection, "files">): string[] =>
  files.filter((file) => onDatabase.test(file));

/** Why these tests do not run on it; undefined when they do. */
export const skipReason = (settings: Pick<StackSettings, "neo4j">, hasJava: boolean): string | undefined => {
  if (settings.neo4j) return "NEO4J_URI names the one server to test on";
  if (!hasJava) return `no Java ${versions.calendar.java.join(" or ")} is found`;
  return undefined;
};

/**
 * Starts the server, runs the tests that need it, and ends it.
 *
 * @throws UserError when it cannot be fetched or started
 */
export const runOnCalendar = async (
  selection: Pick<Selection, "files" | "testName">,
  { suite, backend }: Session,
  settings: StackSettings,
): Promise<Summary> => {
  const files = calendarFiles(selection);
  const java = settings.neo4j ? undefined : await prepareExtra(versions.calendar, suite.signal);
  const reason = skipReason(settings, java !== undefined);
  const title = `policy statements on Neo4j ${versions.calendar.neo4j}`;
  if (!java || reason !== undefined)
    return { ...nothingRan, skipped: 1, skippedNames: [`${title}: ${reason ?? ""}`] };
  return withExtraNeo4j(suite, java, calendar, (neo4j) => {
    say(`${title}:`);
    return runMocha({
      testName: selection.testName,
      folder: suite.home.root,
      signal: suite.signal,
      files,
      processes: 1,
      env: {
        ...inheritEnvironment(process.env),
        ...backendVariables({ ...backend, neo4j }),
        IKG_FUZZ_RUNS: String(fuzzRuns),
      },
    });
  });
};
