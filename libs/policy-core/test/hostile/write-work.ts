import { randomUUID } from "node:crypto";
import type { Row } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import { bindRow, bindValues, compileCiq } from "../../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../../src/query/index.ts";
import {
  atOnceValues,
  bindUpserts,
  type BoundUpserts,
  maxRows,
  planWrites,
  type WriteStatements,
  writeStatements,
} from "../../src/statements/index.ts";
import { largestInputs } from "../bounds/largest.ts";
import { hostileProject } from "./run-accepted.ts";
import type { Run } from "./tenant-digest.ts";

/** An accepted query that writes, and its policy, as JSON texts. */
export interface WritingQuery {
  readonly policy: string;
  readonly query: string;
}

/** Rows of all statements of one execution, and how many nodes, relationships and deletes it was to write. */
export interface WriteResult {
  readonly rows: readonly Row[];
  readonly writes: number;
}

/** One way to run a writing query, in a transaction. */
export type WriteWork = (run: Run) => Promise<WriteResult>;

/** What both ways take. */
interface Execution {
  readonly statements: WriteStatements;
  readonly bound: BoundUpserts;
  readonly row: Row;
  readonly now: string;
}

/** Rows of a page. */
const take = 10;

const newNodeId = (): string => `${hostileProject}-${randomUUID()}`;

const bySteps =
  ({ statements, bound, row, now }: Execution): WriteWork =>
  async (run) => {
    const matched = await run(statements.match.text, { __row: row });
    if (matched.length > maxRows) return { rows: matched, writes: 0 };
    const planned = planWrites(statements, bound, matched, { now, newNodeId });
    if (!planned.ok) return { rows: matched, writes: 0 };
    const plan = planned.value;
    const { locks, nodes, relationships, deletes } = plan;
    const rows = [...matched, ...(await run(locks.text, locks.params))];
    for (const { text, params } of nodes) rows.push(...(await run(text, params)));
    const answers: (readonly Row[])[] = [];
    for (const { text, params } of relationships) answers.push(await run(text, params));
    const shown = plan.projection(0, matched.slice(0, take), answers);
    if (shown !== undefined) rows.push(...(await run(shown.text, shown.params)));
    for (const { text, params } of deletes) rows.push(...(await run(text, params)));
    return {
      rows: [...rows, ...answers.flat()],
      writes: nodes.length + relationships.length + deletes.length,
    };
  };

const asOne =
  (text: string, { statements, bound, row, now }: Execution): WriteWork =>
  async (run) => {
    const values = atOnceValues(statements, bound, { now, newNodeId });
    const rows = await run(text, { __row: row, skip: 0, take, ...values });
    const keys: unknown = rows[0]?.["nodes"];
    const nodes = Array.isArray(keys) ? keys.filter((key) => key !== null).length : 0;
    return { rows, writes: nodes + Number(rows[0]?.["links"] ?? 0) };
  };

const compile = ({ policy, query }: WritingQuery): KnowledgeQuery => {
  const checked = compileCiq(policy);
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  const read = compileQuery(query, checked.value);
  if (!read.ok) throw new Error(read.faults.join("; "));
  return read.value;
};

/**
 * The ways in which a writing query is executed for the hostile tenant with the largest values: in steps,
 * and as one statement where that can be. None where its values are refused before anything is sent.
 *
 * @param now time of the request, which everything that it writes carries
 * @throws Error for a query that is not accepted, or that writes nothing
 */
export const writeWorks = (writing: WritingQuery, now: string): readonly WriteWork[] => {
  const query = compile(writing);
  const statements = writeStatements(query, hostileProject);
  if (statements === undefined) throw new Error("the query writes nothing");
  const inputs = largestInputs(query.needs);
  const bound = bindUpserts(statements.writes, bindValues(query.needs, inputs), now);
  if (!bound.ok) return [];
  const row = { s: nodeKey(hostileProject, "Nurse", "n"), ...bindRow(query.needs, inputs) };
  const execution: Execution = { statements, bound: bound.value, row, now };
  const { atOnce } = statements;
  return [bySteps(execution), ...(atOnce === undefined ? [] : [asOne(atOnce, execution)])];
};
