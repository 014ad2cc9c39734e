import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { connectionOf } from "../../connection/connection.ts";
import { contextsOf } from "../../connection/contexts.ts";
import { CommandFault, type Surroundings } from "../../surroundings.ts";
import type { SuiteAddress } from "./suite.ts";

export interface AddressOptions {
  readonly url?: string;
  readonly context?: string;
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

/** Where a context is named, or where it alone says where to go. */
const ofContext = (options: AddressOptions, around: Surroundings, file: string): SuiteAddress | undefined => {
  const { environment } = around;
  const isNamed = options.context !== undefined || Boolean(environment["IKG_CONTEXT"]);
  const isStated = options.environment !== undefined || environment["IKG_ENVIRONMENT"] !== undefined;
  const others = options.url ?? environment["IKG_URL"];
  if (!isNamed && (isStated || others !== undefined || existsSync(file))) return undefined;
  if (!isNamed && contextsOf(around).current === undefined) return undefined;
  const { url, token, organization } = connectionOf(options, around);
  if (token !== undefined) return { url, token, organization };
  throw new CommandFault(
    `no service account's token for ${url}: ikg context add --token-file FILE, or IKG_TOKEN`,
  );
};

/**
 * The address of the suite: from options, else from variables, else by the `environment.json` of a suite of this folder,
 * else of the current context.
 *
 * @throws CommandFault when something is missing.
 */
export const addressOf = (options: AddressOptions, around: Surroundings): SuiteAddress => {
  const { environment, cwd } = around;
  const named = options.environment ?? environment["IKG_ENVIRONMENT"];
  const file = resolve(cwd, named ?? join(environment["IKG_HOME"] ?? ".ikg", "environment.json"));
  const context = ofContext(options, around, file);
  if (context !== undefined) return context;
  if (named !== undefined && !existsSync(file)) throw new CommandFault(`${named} is not there`);
  const known = existsSync(file) ? read(file) : {};
  const url = options.url ?? environment["IKG_URL"] ?? known.base_url;
  if (url === undefined || !URL.canParse(url))
    throw new CommandFault(
      "Say where the suite is: ikg context add, --url https://... or IKG_URL, or the environment.json of `npm start` (--environment)",
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
