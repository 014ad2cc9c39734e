import { shellWord } from "./shell-word.ts";

/** Headers of credentials: variables of the shell, so that a command can be shared. */
export const keyHeader = "X-SVC-ClientKey: $KEY";
export const tokenHeader = "Authorization: Bearer $TOKEN";

/** A request as a command of a shell, which replaces variables in `headers`. */
export const curl = (address: string, headers: readonly string[], body?: object, options = "-s"): string =>
  [
    `curl ${options} ${shellWord(address)}`,
    ...headers.map((header) => `-H "${header}"`),
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d ${shellWord(JSON.stringify(body))}`]),
  ].join(" \\\n  ");

interface ApplicationRequest {
  readonly address: string;
  /** Whether the request has a person's token. */
  readonly hasToken: boolean;
  readonly isExplained: boolean;
  readonly body: object;
}

/** A request of an application. */
export const curlOfApplication = ({ address, hasToken, isExplained, body }: ApplicationRequest): string =>
  curl(
    address,
    [keyHeader, ...(hasToken ? [tokenHeader] : []), ...(isExplained ? ["X-Explain: true"] : [])],
    body,
  );
