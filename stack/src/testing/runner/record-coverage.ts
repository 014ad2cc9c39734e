/**
 * Notes which test got which status from which path of the suite, a line of JSON each, into the file that
 * `IKG_COVERAGE` names. docs/coverage.md is made of such a file.
 */
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { expect } from "@jest/globals";
import { readEnvironment } from "../../environment.ts";

/** One answer of the suite. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly file: string;
  readonly test: string;
}

const { fetch } = globalThis;

const record = (file: string, environmentFile: string): void => {
  const environment = readEnvironment(environmentFile);
  if (environment === undefined) throw new Error(`IKG_ENVIRONMENT: ${environmentFile} cannot be read`);
  const { origin } = new URL(environment.base_url);
  globalThis.fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const { pathname: path, origin: requestOrigin } = new URL(input instanceof Request ? input.url : input);
    const { currentTestName: test, testPath } = expect.getState();
    if (requestOrigin === origin && test !== undefined && testPath !== undefined) {
      const method = (init?.method ?? (input instanceof Request ? input.method : "GET")).toLowerCase();
      const seen: Seen = {
        method,
        path,
        status: answer.status,
        file: relative(process.cwd(), testPath),
        test,
      };
      appendFileSync(file, `${JSON.stringify(seen)}\n`);
    }
    return answer;
  };
};

const file = process.env["IKG_COVERAGE"];
const environmentFile = process.env["IKG_ENVIRONMENT"];
// Unit and integration tests have no suite whose answers could be noted.
if (file && environmentFile) record(file, environmentFile);
