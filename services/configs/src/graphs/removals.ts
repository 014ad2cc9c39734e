import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { withTimeout } from "@ikg/concurrency";
import { claimLabel, type Database, type Graph } from "@ikg/graph";
import {
  changeLabel,
  graphRemovalLabel,
  projectKey,
  projectLabel,
  projectPrefix,
  quoteName,
  systemTypes,
  typeLabel,
} from "@ikg/physical";
import type { KeyRing } from "@ikg/secrets";
import { removeFound } from "../history/retention.ts";
import type { Log } from "../log.ts";
import { openConnection, ownGraph } from "../records/connection.ts";
import type { GraphRemoval, RemovedGraph } from "../records/removal-note.ts";
import { importRecordsSweep, stagedSweeps } from "./import-sweeps.ts";
import { runSweep, type Sweep, sweepTimeoutMs as timeoutMs } from "./sweep.ts";

export interface GraphRemovals {
  /**
   * Removes the graph data of a deleted project, unless this process does so already; resolves when the first pass found
   * nothing more.
   */
  begin(removed: RemovedGraph): Promise<void>;
  /**
   * Continues removals that this process does not run: another process left them, or a database refused them or did not answer.
   * Waits for none of them, since a large graph or a database that does not answer takes long.
   */
  resume(): Promise<void>;
  /** Ends the transactions that run. The note of an unfinished removal stays. */
  close(): Promise<void>;
}

/** Slots of removals that `resume` begins: each is held until the first pass is over, `slotMs` at most. */
const atOnce = 20;
/** Own databases of a project that are swept at once: some may not answer. */
const databasesAtOnce = 10;

const doneText = `MATCH (note:${graphRemovalLabel} {project_id: $id}) DELETE note`;
// In any order: removals that fail again and again must not block the others.
const openText = [
  `MATCH (note:${graphRemovalLabel}) WHERE NOT note.project_id IN $running`,
  `RETURN properties(note) AS note ORDER BY rand() LIMIT ${atOnce}`,
].join(" ");

/** Change records with their texts. Parameter: `prefix`. */
const changesSweep: Sweep = {
  batch: 20,
  text: (limit) =>
    `MATCH (c:${changeLabel}) WHERE c.key STARTS WITH $prefix WITH c LIMIT ${limit} ${removeFound}`,
};

/** A graph that is being removed: its database, and the statements that remove a batch of it. */
interface Target {
  readonly database: () => Database;
  readonly sweeps: readonly Sweep[];
  /** The statement that ends the removal. */
  readonly end: string | undefined;
}

/**
 * How many relationships go with nodes at most. Neo4j takes several locks for each, and others that wait for the node, such as a
 * process that resumes the removal, wait until all are released: more than a minute for half a million locks.
 */
const relationshipsOfBatch = 10_000;

/** Nodes with a label, with their relationships. */
const removeAll = (label: string): Sweep => ({
  batch: 1_000,
  text: (limit) =>
    [
      `MATCH (n:${label}) WITH n LIMIT ${limit}`,
      `WITH collect(n) AS nodes, sum(COUNT { (n)--() }) > ${relationshipsOfBatch} AS is_too_much`,
      "WITH CASE WHEN is_too_much THEN [] ELSE nodes END AS removable, is_too_much",
      "FOREACH (n IN removable | DETACH DELETE n) RETURN size(removable) AS removed, is_too_much",
    ].join(" "),
  relationshipsText: (limit) =>
    `MATCH (n:${label}) WITH n LIMIT 1 MATCH (n)-[r]-() WITH r LIMIT ${limit} DELETE r RETURN count(*) AS removed`,
});

/** The same sweep where a claim is matched first, so that it finds nothing without it. */
const ofOwner = (claim: string, { text, batch, relationshipsText }: Sweep): Sweep => ({
  batch,
  text: (limit) => `${claim} ${text(limit)}`,
  ...(relationshipsText && { relationshipsText: (limit) => `${claim} ${relationshipsText(limit)}` }),
});

/**
 * In a database of its own only what the project claimed is its own: another project's database, named by mistake, was
 * never touched, and is not now.
 */
const targetsOf = (
  graph: Graph,
  keys: KeyRing,
  { project_id: id, organization_id: organizationId, pk = "", connection }: GraphRemoval,
): readonly Target[] => {
  const label = quoteName(projectLabel(projectKey(pk)));
  const scores = quoteName(typeLabel(systemTypes.trustScore, projectKey(pk)));
  const sweeps = [...stagedSweeps, removeAll(label), removeAll(scores)];
  // Records first: a worker stops when the record of its import is gone.
  const records = {
    database: () => graph.shared,
    sweeps: [importRecordsSweep, changesSweep],
    end: undefined,
  };
  if (pk !== "") {
    const project = { id, organizationId, pk };
    return [records, { database: () => graph.of(project, undefined, "background"), sweeps, end: undefined }];
  }
  if (connection === undefined) throw new Error("a removed project had neither a key nor a connection");
  const mine = `MATCH (c:${claimLabel} {owner: $id})`;
  const own = ownGraph(id, openConnection(keys, id, connection));
  return [
    records,
    ...own.parts.map((part) => ({
      database: () => graph.of(own.graph, part, "background"),
      sweeps: sweeps.map((sweep) => ofOwner(mine, sweep)),
      end: `${mine} DELETE c`,
    })),
  ];
};

export interface GraphRemovalParts {
  readonly graph: Graph;
  readonly keys: KeyRing;
  readonly log: Log;
  /** Time between both passes; longer than the 30 s that a project stays in a cache. */
  readonly graceMs?: number;
  /** How long a removal holds a slot at most: a database that answers slowly must not block other removals. */
  readonly slotMs?: number;
}

/** Parts that all functions of a removal share. */
interface RemovalContext extends GraphRemovalParts {
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
}

/**
 * One pass over all databases of a project, the records before the graph. One that fails or does not answer does not keep
 * the data of the others.
 *
 * @returns how many nodes it removed.
 * @throws the first failure, after the pass; the signal's reason when aborted.
 */
const sweepAll = async (targets: readonly Target[], id: string, signal: AbortSignal): Promise<number> => {
  const params = { id, prefix: projectPrefix(id) };
  const failures: unknown[] = [];
  let total = 0;
  const sweepEach = async (remaining: Iterable<Target>): Promise<void> => {
    for (const { database, sweeps } of remaining) {
      try {
        for (const sweep of sweeps) {
          const removed = await runSweep(database, sweep, params, signal);
          total += removed; // read after the wait, during which other databases are counted
        }
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await sweepEach(targets.slice(0, 1));
  const remaining = targets.slice(1).values(); // each takes the next one
  await Promise.all(Array.from({ length: databasesAtOnce }, () => sweepEach(remaining)));
  if (failures.length > 0) throw failures[0];
  return total;
};

/** The second pass; then the databases are released, and the note is removed. */
const finish = async (
  { graph, log, graceMs = 35_000, signal }: RemovalContext,
  targets: readonly Target[],
  id: string,
): Promise<void> => {
  await wait(graceMs, undefined, { signal, ref: false });
  const late = await sweepAll(targets, id, signal);
  for (const { database, end } of targets)
    if (end !== undefined) await database().write((tx) => tx.run(end, { id }), { timeoutMs, signal });
  await graph.shared.write((tx) => tx.run(doneText, { id }), { timeoutMs, signal });
  graph.release(id);
  log.info("graph data of a deleted project is removed", { project: id, late_nodes: late });
};

/** Both passes. @param onFirst settles when the first one is over */
const removeGraph = async (
  parts: RemovalContext,
  removal: GraphRemoval,
  onFirst: PromiseWithResolvers<void>,
): Promise<void> => {
  const id = removal.project_id;
  let targets: readonly Target[];
  try {
    targets = targetsOf(parts.graph, parts.keys, removal);
    await sweepAll(targets, id, parts.signal);
    onFirst.resolve();
  } catch (error) {
    onFirst.reject(error);
    throw error;
  }
  await finish(parts, targets, id);
};

/** A removal that this process runs. */
interface RunningRemoval {
  readonly firstPass: Promise<void>;
  /** Resolves at its end, also after a failure. */
  readonly whole: Promise<void>;
}

/**
 * Removes the graph data of deleted projects, a batch per transaction. A note that is written with the deletion keeps
 * the work until it is done. After the first pass comes a second one: a process that did not yet know of the
 * deletion may have captured nodes in between. A database stays claimed until then.
 */
export const openGraphRemovals = (removalParts: GraphRemovalParts): GraphRemovals => {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // every statement that runs listens
  const { slotMs = 60_000 } = removalParts;
  const parts = { ...removalParts, signal: stop.signal };
  const running = new Map<string, RunningRemoval>();
  const slots = new Set<string>();

  const begin = ({ removal, isNoted }: RemovedGraph): Promise<void> => {
    const id = removal.project_id;
    const known = running.get(id);
    if (known !== undefined) return known.firstPass;
    const first = Promise.withResolvers<void>();
    const whole = removeGraph(parts, removal, first)
      .catch((error: unknown) => {
        if (stop.signal.aborted && isNoted) return;
        const next = isNoted ? "retrying" : "no retry, since the project was FAILED";
        parts.log.warn(`removing the graph data of a deleted project stopped; ${next}`, {
          project: id,
          error,
        });
      })
      .finally(() => running.delete(id));
    running.set(id, { firstPass: first.promise, whole });
    return first.promise;
  };

  /** Begins a noted removal. A failure is logged by `begin`. */
  const beginInSlot = (removal: GraphRemoval): void => {
    const id = removal.project_id;
    slots.add(id);
    const tooLong = () => new Error("the first pass takes longer than a slot is held");
    withTimeout(begin({ removal, isNoted: true }), slotMs, tooLong)
      .finally(() => slots.delete(id))
      .catch(() => undefined);
  };

  return {
    begin,
    resume: async () => {
      const known = { running: [...running.keys()] };
      const rows = await parts.graph.shared.read(openText, known, { timeoutMs: 10_000 });
      for (const row of rows) {
        if (stop.signal.aborted || slots.size >= atOnce) return;
        beginInSlot(row["note"] as GraphRemoval); // written with the deletion
      }
    },
    close: async () => {
      stop.abort();
      await Promise.all(Array.from(running.values(), ({ whole }) => whole));
    },
  };
};
