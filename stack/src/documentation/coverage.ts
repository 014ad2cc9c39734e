/** Which end-to-end test shows which status of which endpoint: what docs/coverage.md is made of. */
import { type Operation, operations } from "@ikg/contracts";
import type { Seen } from "../testing/runner/record-coverage.ts";
import { openApi } from "./openapi.ts";
import { table } from "./table.ts";

/** One line of the page. */
export interface Covered {
  readonly endpoint: string;
  readonly status: number;
  /** path of the file and name of the test */
  readonly file: string;
  readonly test: string;
}

export const endpointOf = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;

const patternOf = ({ path }: Operation): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);

/** The most particular one: `nodes/delete` is no `nodes/:id`. */
const places = operations
  .map((operation) => ({ operation, pattern: patternOf(operation) }))
  .toSorted((a, b) => a.operation.path.split(":").length - b.operation.path.split(":").length);

const operationAt = (method: string, path: string): Operation | undefined =>
  places.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;

/** Those that the document promises, by endpoint; of refusals it names classes alone. */
export const promised = (): readonly (readonly [endpoint: string, status: number])[] => {
  const paths = openApi()["paths"] as Record<string, Record<string, { responses: object }>>; // made there
  return operations.flatMap((operation) => {
    const responses =
      paths[operation.path.replaceAll(/:(\w+)/g, "{$1}")]?.[operation.method]?.responses ?? {};
    return Object.keys(responses)
      .filter((status) => /^\d{3}$/.test(status))
      .map((status) => [endpointOf(operation), Number(status)] as const);
  });
};

/** The first test of each status, by the names of files and tests: the same of every run that sees the same. */
export const coveredBy = (seen: readonly Seen[]): readonly Covered[] => {
  const first = new Map<string, Covered>();
  const sorted = seen.toSorted((a, b) => `${a.file}\n${a.test}`.localeCompare(`${b.file}\n${b.test}`, "en"));
  for (const { method, path, status, file, test } of sorted) {
    const operation = operationAt(method, path);
    if (operation === undefined) continue;
    const endpoint = endpointOf(operation);
    const key = `${endpoint} ${status}`;
    if (!first.has(key)) first.set(key, { endpoint, status, file, test });
  }
  const order = new Map(operations.map((operation, n) => [endpointOf(operation), n]));
  return [...first.values()].toSorted(
    (a, b) => (order.get(a.endpoint) ?? 0) - (order.get(b.endpoint) ?? 0) || a.status - b.status,
  );
};

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/[<>*_`]/g, "\\$&");

export const page = (covered: readonly Covered[]): string =>
  [
    "# Which test shows what",
    "",
    "Every endpoint of [the OpenAPI document](../services/gateway/src/reference/openapi.json) with every status that the",
    "end-to-end tests get from it, and the first of the tests that do. Made by a run of them that notes every answer:",
    "",
    "```sh",
    "IKG_COVERAGE=/tmp/coverage.jsonl npm run test:long -- e2e/",
    "IKG_COVERAGE=/tmp/coverage.jsonl UPDATE_DOCS=1 npm test -- documentation/coverage",
    "```",
    "",
    table(
      ["endpoint", "status", "file", "test"],
      covered.map(({ endpoint, status, file, test }) => [
        `\`${endpoint}\``,
        String(status),
        `[${file.replace("e2e/test/", "")}](../${file})`,
        cell(test),
      ]),
    ),
    "",
  ].join("\n");

const uncell = (text: string): string => text.replaceAll(/\\([|<>*_`])/g, "$1");

/** What a page says. */
export const read = (text: string): readonly Covered[] =>
  [
    ...text.matchAll(/^\| `([A-Z]+ [^`]+)`\s*\| (\d+)\s*\| \[[^\]]+\]\(\.\.\/([^)]+)\)\s*\| (.*?)\s*\|$/gm),
  ].map(([, endpoint = "", status, file = "", test = ""]) => ({
    endpoint,
    status: Number(status),
    file,
    test: uncell(test),
  }));
