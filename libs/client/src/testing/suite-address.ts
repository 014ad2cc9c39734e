import { readJson } from "./sources.ts";

export interface SuiteAddress {
  readonly baseUrl: string;
  /** Of a service account that may create projects. */
  readonly token: string;
}

interface EnvironmentFile {
  readonly base_url: string;
  readonly service_account_token: string;
}

/** @returns undefined if there is no such file. @throws Error for a file that cannot be read. */
const readEnvironment = async (path: string): Promise<EnvironmentFile | undefined> => {
  try {
    return (await readJson(path)) as EnvironmentFile; // written by the command that started the suite
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
};

const isSameAddress = (one: string, other: string): boolean =>
  one.replace(/\/+$/, "") === other.replace(/\/+$/, "");

/**
 * Where the suite is: as given, by `IKG_URL` and `IKG_TOKEN`, or by the file of a suite that was started here
 * (`IKG_ENVIRONMENT`, by default `.ikg/environment.json`). The token of the file is for its own suite only.
 *
 * @throws Error that names what to set, or the file.
 */
export const suiteAddress = async (
  given: Partial<SuiteAddress>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SuiteAddress> => {
  // CI sets the variables of missing secrets to an empty text.
  const variable = (name: string): string | undefined => env[name] || undefined;
  const address = given.baseUrl ?? variable("IKG_URL");
  const secret = given.token ?? variable("IKG_TOKEN") ?? variable("IKG_SERVICE_ACCOUNT_TOKEN");
  // The file may be invalid where nothing of it is needed.
  if (address !== undefined && secret !== undefined) return { baseUrl: address, token: secret };
  const file = variable("IKG_ENVIRONMENT") ?? ".ikg/environment.json";
  const started = await readEnvironment(file);
  const baseUrl = address ?? started?.base_url;
  const isOfFile = baseUrl !== undefined && started !== undefined && isSameAddress(baseUrl, started.base_url);
  const token = secret ?? (isOfFile ? started.service_account_token : undefined);
  if (baseUrl !== undefined && token !== undefined) return { baseUrl, token };
  throw new Error(
    started === undefined
      ? `no suite: set IKG_URL and IKG_TOKEN, or pass baseUrl and token; ${file} does not exist`
      : `no token for ${baseUrl}: set IKG_TOKEN, or pass token; ${file} is that of ${started.base_url}`,
  );
};
