import { shellWord } from "./shell-word.ts";

interface CurlRequest {
  readonly address: string;
  /** Whether the request has a person's token. */
  readonly hasToken: boolean;
  readonly isExplained: boolean;
  readonly body: object;
}

/** A request of an application as a command of a shell; its credentials are variables, so that it can be shared. */
export const curlOfApplication = ({ address, hasToken, isExplained, body }: CurlRequest): string =>
  [
    `curl -s ${shellWord(address)}`,
    `-H "X-SVC-ClientKey: $KEY"`,
    ...(hasToken ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...(isExplained ? [`-H 'X-Explain: true'`] : []),
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(JSON.stringify(body))}`,
  ].join(" \\\n  ");
