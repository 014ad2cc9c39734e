import type { NodeRef } from "@ikg/contracts";
import { type Database, type Graph, StatementTimeout } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import { constituentOf, partOf } from "../projects/constituent.ts";
import type { Project } from "../projects/projects.ts";
import { inTime, type Request } from "../batches/transaction.ts";
import { countRelationshipsText, detachText } from "./statements.ts";

/** Relationships that the nodes of one delete may have between them for it to be one transaction. */
const atOnce = 50_000;
/** Relationships that one transaction removes before. */
const batch = 10_000;

const detach = async (
  database: Database,
  keys: readonly string[],
  { requestId, signal }: Request,
  deadline: number,
): Promise<void> => {
  const options = () => {
    const timeoutMs = deadline - performance.now();
    if (timeoutMs <= 0) throw new StatementTimeout(0);
    return { timeoutMs, requestId, signal };
  };
  const [row] = await database.read(countRelationshipsText, { keys }, options());
  for (let left = Number(row?.["total"] ?? 0); left > atOnce; left -= batch)
    await database.write((tx) => tx.run(detachText, { keys, size: batch }), options());
};

/**
 * Removes relationships of nodes that are to be deleted and have very many, a batch per transaction, until the rest fits
 * one: a single transaction with millions of them needs more memory than a database gives it. What is removed stays so if
 * the request then fails; the same request again continues from there.
 *
 * @throws as `inOneTransaction`.
 */
export const detachHubs = async (
  graph: Graph,
  project: Project,
  nodes: readonly NodeRef[],
  request: Request,
): Promise<void> => {
  const keyOf = ({ type, external_id: id }: NodeRef): string => nodeKey(project.pk, type, id);
  const places = Map.groupBy(nodes, ({ location }) => constituentOf(project, location));
  // The default database also has the proxies of nodes elsewhere.
  places.set(undefined, [...nodes]);
  await inTime(async (deadline) => {
    for (const [constituent, placed] of places)
      await detach(graph.of(project, partOf(constituent)), placed.map(keyOf), request, deadline);
  });
};
