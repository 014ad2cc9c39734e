/** Tests on stores of Testcontainers, the services being processes of this machine. */
import type { Interruption } from "../interruption.ts";
import { readStackSettings } from "../settings.ts";
import { runOnSuite } from "../testing/runner/run-on-suite.ts";
import type { SuiteSelection } from "../testing/runner/selection.ts";
import { emptyTally, type Tally } from "../testing/runner/tally.ts";
import { withStores } from "./stores.ts";

/** Packages whose integration tests ask a database. */
const packages = [
  "libs/graph",
  "services/capture",
  "services/access",
  "services/ciq",
  "services/trust-scorer",
];

const isIntegration = (file: string): boolean => packages.some((name) => file.startsWith(`${name}/test/`));

/** Of these tests, the integration tests of what reads and writes the stores. */
export const integrationOf = ({ alone, files, testName }: SuiteSelection): SuiteSelection => ({
  alone: alone.filter(isIntegration),
  files: files.filter(isIntegration),
  e2e: [],
  testName,
});

/** Runs them; they know their stores, and end-to-end tests their suite, by the environment alone. */
export const runOnTestcontainers = async (
  selection: SuiteSelection,
  interruption: Interruption,
): Promise<Tally> => {
  const { alone, files, e2e } = selection;
  if (alone.length + files.length + e2e.length === 0) return emptyTally;
  return withStores((stores) =>
    runOnSuite(selection, { ...readStackSettings({}), ...stores }, { interruption }),
  );
};
