import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where the suite under test is, and the credential that opens it. */
export interface Environment {
  readonly base_url: string;
  readonly organization_id: string;
  readonly service_account_token: string;
  /** Processes of each service; one by default. */
  readonly replicas?: number;
}

const read = (): Environment => {
  const file = process.env["IKG_ENVIRONMENT"];
  if (!file) {
    throw new Error(
      "IKG_ENVIRONMENT is not set: name the environment.json of a running suite, for example\n" +
        "  IKG_ENVIRONMENT=.ikg/environment.json",
    );
  }
  // Written by the command that started the suite, with this shape.
  return JSON.parse(readFileSync(file, "utf8")) as Environment;
};

let known: Environment | undefined;

/**
 * The suite under test, from the file named by `IKG_ENVIRONMENT`.
 *
 * @throws Error with the variable to set when it is missing
 */
export const environment = (): Environment => (known ??= read());

/**
 * Makes the suite of this file the one that the test file calls.
 *
 * @returns restores the former one: another test file follows in the same process
 */
export const useEnvironment = (file: string): (() => void) => {
  const former = process.env["IKG_ENVIRONMENT"];
  process.env["IKG_ENVIRONMENT"] = file;
  return () => {
    if (former === undefined) delete process.env["IKG_ENVIRONMENT"];
    else process.env["IKG_ENVIRONMENT"] = former;
  };
};

interface SuiteAccount {
  readonly organizationId: string;
  readonly token: string;
}

/** As `useEnvironment`, for an organization of a suite that the test file has started. */
export const useSuite = (gateway: string, { organizationId, token }: SuiteAccount): (() => void) => {
  const file = join(tmpdir(), `ikg-e2e-${randomUUID()}.json`);
  const content = { base_url: gateway, organization_id: organizationId, service_account_token: token };
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  const restore = useEnvironment(file);
  return () => {
    restore();
    rmSync(file);
  };
};
