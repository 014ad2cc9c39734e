import { shellWord } from "../../../parts/shell-word.ts";
import type { Question } from "../question/question.ts";
import { requestOf } from "./request.ts";

interface CurlOptions {
  readonly baseUrl: string;
  readonly hasToken: boolean;
}

/** The question as a command of a shell; its credentials are variables, so that it can be shared. */
export const curlOf = (question: Question, { baseUrl, hasToken }: CurlOptions): string => {
  const { path, body } = requestOf(question);
  const parts = [
    `curl -s ${shellWord(baseUrl + path)}`,
    `-H "X-SVC-ClientKey: $KEY"`,
    ...(hasToken ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    ...(path.startsWith("/access/v1/search/resource") || path.startsWith("/access/v1/search/subject")
      ? []
      : [`-H 'X-Explain: true'`]),
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(JSON.stringify(body))}`,
  ];
  return parts.join(" \\\n  ");
};
