/** Organization and first credential, created by the only writer of configuration records. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Interrupted } from "../command.ts";
import { UserError } from "../../launch/user-error.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { lastErrorLine } from "../processes/log.ts";
import { inRepository } from "../repository.ts";
import { backendVariables, inheritEnvironment } from "./variables.ts";
import type { Backend } from "../suite.ts";

/** What the command writes into its file (mode 600). */
export interface FirstCredential {
  readonly organization_id: string;
  readonly service_account_id: string;
  readonly service_account_token: string;
  readonly base_url: string;
}

export interface BootstrapOptions {
  readonly file: string;
  readonly backend: Backend;
  readonly pepper: string;
  readonly publicUrl: string;
  /** of the organization in this database; undefined: the one that people use */
  readonly slot?: string | undefined;
  /** Issues another credential in place of the former one: its token is lost, or it has expired or was deleted. */
  readonly renew?: boolean | undefined;
  readonly signal: AbortSignal;
}

/**
 * Idempotent: what exists stays, the token in the file too while it is valid.
 *
 * @throws UserError with the last line of the command when it fails, and where the file has no valid token and none is issued
 */
export const runBootstrap = async (options: BootstrapOptions): Promise<FirstCredential> => {
  const { BOOTSTRAP_ORG_NAME, BOOTSTRAP_SA_TOKEN } = process.env;
  const { code, tail } = await runProgram(
    process.execPath,
    [
      join(inRepository("services", "configs"), "src", "bootstrap.ts"),
      "--out",
      options.file,
      ...(options.renew === true ? ["--renew"] : []),
    ],
    {
      signal: options.signal,
      env: {
        ...inheritEnvironment(process.env),
        ...backendVariables(options.backend),
        ...(BOOTSTRAP_ORG_NAME ? { BOOTSTRAP_ORG_NAME } : {}),
        ...(BOOTSTRAP_SA_TOKEN ? { BOOTSTRAP_SA_TOKEN } : {}),
        ...(options.slot === undefined ? {} : { BOOTSTRAP_SLOT: options.slot }),
        CREDENTIAL_PEPPER: options.pepper,
        PUBLIC_URL: options.publicUrl,
      },
    },
  );
  if (options.signal.aborted) throw new Interrupted();
  if (code !== 0)
    throw new UserError(
      `The first credential cannot be made: ${lastErrorLine(tail.join("\n")) ?? `code ${code}`}`,
    );
  if (tail.some((line) => line.includes("--renew")))
    throw new UserError(
      "The token of the first service account is lost, or has expired or was deleted. `npm run bootstrap -- --renew` issues another and ends the former one.",
    );
  // Written by the command, with this shape.
  return JSON.parse(readFileSync(options.file, "utf8")) as FirstCredential;
};
