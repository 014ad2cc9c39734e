import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { connectionOf } from "../../connection/connection.ts";
import { contextsOf } from "../../connection/contexts.ts";
import { readEnvironmentFile, tryReadEnvironmentFile } from "../../connection/local-suite.ts";
import { CommandFault, type CommandEnvironment } from "../../command-environment.ts";
import type { SuiteAddress } from "./suite.ts";

export interface AddressOptions {
  readonly url?: string;
  readonly context?: string;
  readonly environment?: string;
}

/** The address by a context, if the context is named or is the only source. */
const ofContext = (
  options: AddressOptions,
  environment: CommandEnvironment,
  file: string,
): SuiteAddress | undefined => {
  const { variables } = environment;
  const isNamed = options.context !== undefined || variables["IKG_CONTEXT"] !== undefined;
  const isStated = options.environment !== undefined || variables["IKG_ENVIRONMENT"] !== undefined;
  const otherUrl = options.url ?? variables["IKG_URL"];
  if (!isNamed && (isStated || otherUrl !== undefined || existsSync(file))) return undefined;
  if (!isNamed && contextsOf(environment).current === undefined) return undefined;
  const { url, token, organization } = connectionOf(options, environment);
  if (token !== undefined) return { url, token, organization };
  throw new CommandFault(
    `no service account token for ${url}: use ikg context add --token-file FILE, or IKG_TOKEN`,
  );
};

/**
 * Determines the address of the suite by options, variables, the `environment.json` of this folder, or the current context, in this
 * order.
 *
 * @throws CommandFault if something is missing.
 */
export const addressOf = (options: AddressOptions, environment: CommandEnvironment): SuiteAddress => {
  const { variables, cwd } = environment;
  const named = options.environment ?? variables["IKG_ENVIRONMENT"];
  const file = resolve(cwd, named ?? join(variables["IKG_HOME"] ?? ".ikg", "environment.json"));
  const context = ofContext(options, environment, file);
  if (context !== undefined) return context;
  if (named !== undefined && !existsSync(file)) throw new CommandFault(`${named} does not exist`);
  const stated = options.url ?? variables["IKG_URL"];
  // A file that is not needed for the address may be invalid.
  const read = stated === undefined ? readEnvironmentFile : tryReadEnvironmentFile;
  const known = existsSync(file) ? read(file) : undefined;
  const url = stated ?? known?.url;
  if (url === undefined || !URL.canParse(url))
    throw new CommandFault(
      "an address is required: use ikg context add, --url https://... or IKG_URL, or the environment.json of `npm start` (--environment)",
    );
  // Tokens of the file and of IKG_TOKEN are only sent to their own suite.
  const isOfFile = url === known?.url;
  const token =
    variables["IKG_SERVICE_ACCOUNT_TOKEN"] ??
    (isOfFile ? known?.token : undefined) ??
    (url === variables["IKG_URL"] ? variables["IKG_TOKEN"] : undefined);
  if (token === undefined)
    throw new CommandFault(
      "a token is required: set IKG_TOKEN with IKG_URL, or IKG_SERVICE_ACCOUNT_TOKEN (a service account with write access)",
    );
  return {
    url,
    token,
    organization: token === known?.token ? known?.organization : undefined,
  };
};
