import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CommandFault, type Surroundings } from "../../surroundings.ts";
import type { SuiteAddress } from "./suite.ts";

export interface AddressOptions {
  readonly url?: string;
  readonly environment?: string;
}

interface EnvironmentFile {
  readonly base_url?: string;
  readonly organization_id?: string;
  readonly service_account_token?: string;
}

const read = (file: string): EnvironmentFile => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as EnvironmentFile; // written by the suite
  } catch {
    throw new CommandFault(`${file} is no environment.json of a suite`);
  }
};

/**
 * The address of the suite: from options, else from variables, else by the `environment.json` of a suite of this folder.
 *
 * @throws CommandFault when something is missing.
 */
export const addressOf = (options: AddressOptions, { environment, cwd }: Surroundings): SuiteAddress => {
  const named = options.environment ?? environment["IKG_ENVIRONMENT"];
  const file = resolve(cwd, named ?? join(environment["IKG_HOME"] ?? ".ikg", "environment.json"));
  if (named !== undefined && !existsSync(file)) throw new CommandFault(`${named} is not there`);
  const known = existsSync(file) ? read(file) : {};
  const url = options.url ?? environment["IKG_URL"] ?? known.base_url;
  if (url === undefined || !URL.canParse(url))
    throw new CommandFault(
      "Say where the suite is: --url https://... or IKG_URL, or the environment.json of `npm start` (--environment)",
    );
  // A token belongs to its suite: those of the file and of IKG_TOKEN go nowhere else.
  const isOfFile = url === known.base_url;
  const token =
    environment["IKG_SERVICE_ACCOUNT_TOKEN"] ??
    (isOfFile ? known.service_account_token : undefined) ??
    (url === environment["IKG_URL"] ? environment["IKG_TOKEN"] : undefined);
  if (token === undefined)
    throw new CommandFault(
      "Set IKG_TOKEN with IKG_URL, or IKG_SERVICE_ACCOUNT_TOKEN (a service account that may write)",
    );
  return {
    url,
    token,
    organization: token === known.service_account_token ? known.organization_id : undefined,
  };
};
