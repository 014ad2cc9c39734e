import { curlOfApplication } from "../../../snippets/curl.ts";
import type { Question } from "../question/question.ts";
import { requestOf } from "./request.ts";

interface CurlOptions {
  readonly baseUrl: string;
  readonly hasToken: boolean;
}

const unexplained: ReadonlySet<string> = new Set(["/access/v1/search/resource", "/access/v1/search/subject"]);

/** The question as a command of a shell. */
export const curlOf = (question: Question, { baseUrl, hasToken }: CurlOptions): string => {
  const { path, body } = requestOf(question);
  return curlOfApplication({ address: baseUrl + path, hasToken, isExplained: !unexplained.has(path), body });
};
