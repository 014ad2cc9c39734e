import { readFile } from "node:fs/promises";

export interface SuiteAddress {
  readonly baseUrl: string;
  /** Of a service account that may create projects. */
  readonly token: string;
}

interface EnvironmentFile {
  readonly base_url: string;
  readonly service_account_token: string;
}

const read = async (path: string): Promise<EnvironmentFile | undefined> => {
  try {
    return JSON.parse(await readFile(path, "utf8")) as EnvironmentFile; // written by the command that started the suite
  } catch {
    return undefined;
  }
};

/**
 * Where the suite is: as given, by `IKG_URL` and `IKG_TOKEN`, or by the file of a suite that was started here
 * (`IKG_ENVIRONMENT`, by default `.ikg/environment.json`).
 *
 * @throws Error that names what to set.
 */
export const suiteAddress = async (
  given: Partial<SuiteAddress>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<SuiteAddress> => {
  const file = env["IKG_ENVIRONMENT"] ?? ".ikg/environment.json";
  const started = await read(file);
  const baseUrl = given.baseUrl ?? env["IKG_URL"] ?? started?.base_url;
  const token =
    given.token ?? env["IKG_TOKEN"] ?? env["IKG_SERVICE_ACCOUNT_TOKEN"] ?? started?.service_account_token;
  if (baseUrl !== undefined && token !== undefined) return { baseUrl, token };
  throw new Error(
    `where is the suite? ${file} is not there: set IKG_URL and IKG_TOKEN, or give baseUrl and token`,
  );
};
