import { isDeepStrictEqual } from "node:util";
import type { ExecuteResponse } from "@ikg/contracts";
import { CommandFault } from "../../command-environment.ts";
import type { Query } from "../file/world.ts";
import { refusalOf } from "../suite/suite.ts";
import { type Reply, type TestClient, challengeOf, hasMembers } from "./ask.ts";
import { explainQuery } from "./explain.ts";
import type { Outcome } from "./result.ts";

type Row = Readonly<Record<string, unknown>>;

const pageSize = 1_000;
/** Values by the paths of the query. */
const rowOf = ({ nodes, relationships, aggregate_values }: ExecuteResponse["data"][number]): Row => ({
  ...nodes,
  ...relationships,
  ...aggregate_values,
});

/** Reasons why the suite cannot call the runner. */
const unreachable: ReadonlySet<string> = new Set([
  "blocked_address",
  "upstream_unreachable",
  "upstream_timeout",
]);

/** Fails if the suite cannot call this machine: missing values would not be a result of the policy. */
const requireResolvers = ({ errors = [] }: ExecuteResponse, { world, resolverOrigin }: TestClient): void => {
  const failed = errors.find(
    ({ reason, resolver }) =>
      unreachable.has(reason) && world.resolvers.some(({ name }) => name === resolver),
  );
  if (failed === undefined) return;
  throw new CommandFault(
    failed.reason === "blocked_address"
      ? `the suite refuses to call ${resolverOrigin}, where the runner simulates the resolver ${failed.resolver}: start the suite with EGRESS_ALLOW_CIDRS that includes this address (127.0.0.0/8)`
      : `the suite cannot call ${resolverOrigin}, where the runner simulates the resolver ${failed.resolver} (${failed.reason}): set --resolver-host to an address of this machine that the suite can reach`,
  );
};

interface Executed extends Reply {
  readonly rows: readonly Row[];
  readonly explanation: ExecuteResponse["explanation"];
}

/** Executes a query and returns all its rows. A query that writes is executed only once. */
const execute = async (
  client: TestClient,
  { query, params, as, writes }: Query,
  explain: boolean,
): Promise<Executed> => {
  const rows: Row[] = [];
  let explanation: ExecuteResponse["explanation"];
  for (let token: number | undefined; ;) {
    const body = { id: query, input_params: params, page_size: pageSize };
    const reply = await client.post(
      "/ciq/v1/execute",
      { ...body, ...(token === undefined ? {} : { page_token: token }) },
      { as, explain: explain && token === undefined },
    );
    if (reply.answer.status !== 200) return { ...reply, rows, explanation };
    const response = reply.answer.body as ExecuteResponse; // validated by the contract
    requireResolvers(response, client);
    explanation ??= response.explanation;
    rows.push(...response.data.map(rowOf));
    const isLast = response.next_page_token === undefined && response.data.length < pageSize;
    if (writes || isLast) return { ...reply, rows, explanation };
    token = response.next_page_token ?? rows.length;
  }
};

const text = (row: Row): string => JSON.stringify(row);

const listedOf = (row: Row, expected: Row): Row =>
  Object.fromEntries(Object.keys(expected).map((key) => [key, row[key] ?? null]));

const isRow = (expected: Row, actual: Row, { columns }: Query["expect"]): boolean =>
  isDeepStrictEqual({ ...expected }, columns === "listed" ? listedOf(actual, expected) : { ...actual });

/** The differences between expected and actual rows, one per line. */
export const compareRows = (
  expected: readonly Row[],
  actual: readonly Row[],
  expect: Pick<Query["expect"], "order" | "columns">,
): readonly string[] => {
  const options = expect as Query["expect"];
  const inOrder =
    expected.length === actual.length &&
    expected.every((row, index) => isRow(row, actual[index] ?? {}, options));
  if (inOrder) return [];
  const left = [...actual];
  const missing = expected.filter((row) => {
    const index = left.findIndex((each) => isRow(row, each, options));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  const differing = [
    ...missing.map((row) => `missing row ${text(row)}`),
    ...left.map((row) => `unexpected row ${text(row)}`),
  ];
  if (differing.length > 0) return differing;
  return expect.order === "any"
    ? []
    : ["the same rows in another order (use order: any to ignore the order)"];
};

const rowsText = (count: number): string => `${count} row${count === 1 ? "" : "s"}`;

/** The differences of the rows of a response, one per line. */
const differencesOf = ({ answer, rows }: Executed, { expect }: Query): readonly string[] =>
  answer.status === expect.status && expect.rows !== undefined ? compareRows(expect.rows, rows, expect) : [];

const isAsExpected = (executed: Executed, test: Query): boolean => {
  const { expect } = test;
  const { answer, rows } = executed;
  return (
    answer.status === expect.status &&
    (expect.advice === undefined || hasMembers(expect.advice, challengeOf(answer))) &&
    (expect.count === undefined || expect.count === rows.length) &&
    differencesOf(executed, test).length === 0
  );
};

/** Executes a knowledge query. A query that writes is explained in the same request, because it cannot be repeated. */
export const askQuery = async (client: TestClient, test: Query): Promise<Outcome> => {
  const { expect } = test;
  const explains = client.explainsAll || test.writes;
  const executed = await execute(client, test, explains);
  const { answer, claims, rows } = executed;
  const passed = isAsExpected(executed, test);
  const { explanation } = passed || explains ? executed : await execute(client, test, true);
  const count = expect.count ?? expect.rows?.length ?? 0;
  const adviceText = (advice: object): string =>
    expect.advice === undefined ? "" : `, advice ${JSON.stringify(advice)}`;
  return {
    passed,
    expected: `${expect.status === 200 ? rowsText(count) : `status ${expect.status}`}${adviceText(expect.advice ?? {})}`,
    actual: `${answer.status === 200 ? rowsText(rows.length) : refusalOf(answer)}${adviceText(challengeOf(answer))}`,
    why: [...differencesOf(executed, test), ...explainQuery(client.world, explanation)],
    observation: { kind: "query", test, claims, status: answer.status, explanation },
  };
};
