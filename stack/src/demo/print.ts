/** How the demo's questions and answers look in a terminal of 100 columns. */
import { evaluationBody, executeBody, type Decided, type QueryRow } from "./ask.ts";
import type { ClientEnvironment } from "../environment.ts";
import type { Issuer } from "./issuer.ts";
import type { Demo } from "./load.ts";
import {
  type DecisionQuestion,
  decisionQuestions,
  type QueryQuestion,
  queryQuestions,
  type SearchQuestion,
} from "./questions.ts";
import { table, wrap } from "./table.ts";

const width = 100;
const indent = "    ";

const indented = (lines: readonly string[]): string[] => lines.map((line) => `${indent}${line}`.trimEnd());

/** Above an answer: the question, and why it is answered so. */
const heading = (ask: string, why: string): string[] => [
  ...wrap(ask, width),
  ...indented(wrap(why, width - indent.length)),
];

/** Why, and the advice that came with the answer. */
const reason = ({ why }: DecisionQuestion, { advice }: Decided): string =>
  advice === undefined ? why : `${why} Advice: ${advice}.`;

export const printDecisions = (
  decisions: readonly { readonly question: DecisionQuestion; readonly answer: Decided }[],
): string[] =>
  table(
    [
      { title: "#", align: "right" },
      { title: "May they?", width: 42 },
      { title: "Answer", width: 7 },
      { title: "Why", width: 43 },
    ],
    decisions.map(({ question, answer }, index) => [
      String(index + 1),
      question.ask,
      answer.decision ? "granted" : "denied",
      reason(question, answer),
    ]),
  );

export const printSearch = ({ ask, why }: SearchQuestion, found: readonly string[]): string[] => [
  ...heading(ask, why),
  ...indented(wrap(found.join(", ") || "none", width - indent.length)),
];

const cell = (value: unknown): string =>
  value === null || value === undefined ? "-" : typeof value === "string" ? value : JSON.stringify(value);

export const printQuery = ({ ask, why, columns }: QueryQuestion, rows: readonly QueryRow[]): string[] => {
  const cells = rows.map((row) => columns.map(({ from, path }) => cell(row[from]?.[path])));
  const isNumber = (at: number): boolean => cells.every((row) => /^-?[\d.]+$/.test(row[at] ?? ""));
  const titled = columns.map(({ title }, at) => ({
    title,
    align: isNumber(at) ? ("right" as const) : ("left" as const),
  }));
  return [...heading(ask, why), ...indented(table(titled, cells))];
};

/** In single quotes, as a shell takes it. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curl = (url: string, headers: readonly string[], body: object): string =>
  [
    `curl -s ${url}`,
    ...["Content-Type: application/json", ...headers].map((header) => `-H ${quoteForShell(header)}`),
    `-d ${quoteForShell(JSON.stringify(body))}`,
  ].join(" ");

/** Metadata of a message of the stateless revision of the protocol. */
const protocol = "io.modelcontextprotocol";
const revision = "2026-07-28";

/** One tool call as an AI agent's client sends it. */
const toolCall = (url: string, bearer: string, name: string, args: object): string =>
  curl(
    url,
    [
      "Accept: application/json, text/event-stream",
      `Authorization: Bearer ${bearer}`,
      `MCP-Protocol-Version: ${revision}`,
      "Mcp-Method: tools/call",
      `Mcp-Name: ${name}`,
    ],
    {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: args,
        _meta: { [`${protocol}/protocolVersion`]: revision, [`${protocol}/clientCapabilities`]: {} },
      },
    },
  );

/** Complete lines to paste: a decision with the key alone, a query with a person's token, and the same by MCP. */
export const printCurl = async (
  { base_url, mcp_url }: Pick<ClientEnvironment, "base_url" | "mcp_url">,
  { apiKey, projectId }: Pick<Demo, "apiKey" | "projectId">,
  issuer: Issuer,
): Promise<string[]> => {
  const [decision] = decisionQuestions;
  const query = queryQuestions.find(({ token }) => token !== undefined);
  const key = `X-SVC-ClientKey: ${apiKey}`;
  const lines: string[] = [];
  if (decision !== undefined)
    lines.push(
      `Ask it yourself: ${decision.ask}`,
      "",
      curl(`${base_url}/access/v1/evaluation`, [key], evaluationBody(decision)),
    );
  if (query?.token !== undefined) {
    const bearer = await issuer.sign(query.token);
    lines.push(
      "",
      `And: ${query.ask.replace(/ \(.*/, "")} The token ends after an hour; npm start makes another.`,
      "",
      curl(`${base_url}/ciq/v1/execute`, [key, `Authorization: Bearer ${bearer}`], executeBody(query)),
      "",
      "The same as an AI agent asks it, which needs no key:",
      "",
      toolCall(`${mcp_url}/mcp/v1/${projectId}`, bearer, "ciq_execute", executeBody(query)),
    );
  }
  return lines;
};
