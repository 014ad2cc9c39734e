/** The same by hand: a page read, a page written, one after the other, by the raw driver. */
import neo4j, { type Driver } from "neo4j-driver";
import { newGid } from "@ikg/contracts";
import { read } from "../raw-driver.ts";
import { plan } from "./plan.ts";

const readText = `MATCH (n:_Node) WHERE n._key > $after AND n._key < $upTo
RETURN n._key AS k, properties(n) AS p ORDER BY k LIMIT $size`;

export const writeText = (pk: string): string => `UNWIND $rows AS row
MATCH (n:_Node {_key: row.k})
MERGE (t:_Node {_key: row.tk})
ON CREATE SET t:_P__${pk}:_TrustScore__${pk}, t.id = row.id, t.create_time = $now
SET t += row.scores, t.update_time = $now
MERGE (n)-[:_HAS]->(t)`;

interface Node {
  readonly k: string;
  readonly p: { readonly id: string };
}

/** Values of the right kind and number; working them out is the scorer's work alone. */
const scores = {
  _final_score: 0.5123,
  _validity: 0.5,
  _verification: 0.6667,
  _freshness: 0.4321,
  _origin: 0.3833,
  _completeness: 0.9999,
  profile_id: newGid("trust_score_profile"),
  run_id: "00000000-0000-0000-0000-000000000000",
};

const write = async (driver: Driver, pk: string, nodes: readonly Node[]): Promise<void> => {
  const session = driver.session({ database: "neo4j", defaultAccessMode: neo4j.session.WRITE });
  const rows = nodes.map(({ k, p }) => ({ k, tk: `${pk}/_TrustScore/${p.id}`, id: newGid("node"), scores }));
  try {
    await session.run(writeText(pk), { rows, now: new Date().toISOString() });
  } finally {
    await session.close();
  }
};

/** @returns milliseconds for all nodes of a type */
export const runRawDriver = async (driver: Driver, pk: string, type: string): Promise<number> => {
  const started = performance.now();
  const size = neo4j.int(plan.batch);
  for (let after = `${pk}/${type}/`; ;) {
    const nodes = await read<Node>(driver, readText, { after, upTo: `${pk}/${type}0`, size });
    const last = nodes.at(-1);
    if (last === undefined) break;
    await write(driver, pk, nodes);
    after = last.k;
  }
  return performance.now() - started;
};
