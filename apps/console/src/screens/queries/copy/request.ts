import { curlOfApplication } from "../../../snippets/curl.ts";
import type { RunRequest } from "../run/execute.ts";

interface CopyOptions {
  readonly baseUrl: string;
  readonly hasToken: boolean;
}

/** A run as a command of a shell; its credentials are variables, so that it can be shared. */
export const curlOfRun = ({ name, params }: RunRequest, { baseUrl, hasToken }: CopyOptions): string =>
  curlOfApplication({
    address: `${baseUrl}/ciq/v1/execute`,
    hasToken,
    isExplained: true,
    body: { id: name, input_params: params },
  });

const literal = (value: unknown): string => JSON.stringify(value);

/** A run as code of an application; its credentials come from the environment. */
export const clientCodeOfRun = (
  { name, params, writes }: RunRequest,
  { baseUrl, hasToken }: CopyOptions,
): string => {
  const caller = hasToken ? `ikg.withToken(process.env.IKG_TOKEN ?? "")` : "ikg";
  const inputs = Object.keys(params).length === 0 ? "" : `, ${literal(params)}`;
  const call = `${caller}.${writes ? "execute" : "query"}(${literal(name)}${inputs})`;
  return [
    'import { Ikg } from "@ikg/client";',
    "",
    `const ikg = new Ikg({ baseUrl: ${literal(baseUrl)}, clientKey: process.env.IKG_KEY ?? "" });`,
    writes ? `const { data } = await ${call};` : `for await (const row of ${call}) console.log(row);`,
    "",
  ].join("\n");
};
