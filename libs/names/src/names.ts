import { type OrganizationNameLimits, Problem, type ProjectLimits } from "@ikg/contracts";
import type { Database, Graph, ProjectGraph, Row, Transaction } from "@ikg/graph";
import { projectKey, projectNamesKey } from "@ikg/physical";
import { countNames, hasNodes } from "./count-names.ts";
import { judgeNames, newNamesOf } from "./judge-names.ts";
import { openKnownNames } from "./known-names.ts";
import { type NameKind, nameKinds, type NamesByKind, type NameUse } from "./name-use.ts";
import { lockOrganizationNames } from "./organization-names.ts";
import { lockNamesText, setNamesText } from "./statements.ts";

/** A project whose graph is to be written. */
export interface NamedProject extends ProjectGraph {
  readonly limits: Pick<ProjectLimits, NameKind | "concurrent_statements">;
  readonly organizationId: string;
  readonly organizationNames: OrganizationNameLimits;
}

/**
 * The distinct names of graphs: a database keeps a label, a relationship type or a property key for ever once a transaction
 * used it, rolled back or not, and all projects of a database share its capacity. So every writer reserves the names of a
 * write here, before its transaction begins; see docs/graph-names.md.
 */
export interface Names {
  /**
   * Reserves the names of a write, all or none. Names that this process knows as reserved cost nothing.
   *
   * @param timeoutMs limit of the whole call; 10 s by default.
   * @throws Problem `unprocessable` (422) naming the part and the limit; `unavailable` (503) while the names of an older
   *   graph are counted for the first time and the limit seems to be exceeded; as `Database.write`.
   */
  reserve(project: NamedProject, uses: readonly NameUse[], timeoutMs?: number): Promise<void>;
  /**
   * Reserves the names of each part by itself, in their order.
   *
   * @returns the reasons of each part that is refused, none for the others.
   * @throws as `reserve`, but for `unprocessable`.
   */
  reserveEach(project: NamedProject, uses: readonly NameUse[]): Promise<readonly (readonly string[])[]>;
  /** Resolves when no count is under way any more. */
  settled(): Promise<void>;
}

/** What is told when the names of a graph cannot be counted now. */
interface Log {
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

const usualMs = 10_000;
const options = { timeoutMs: usualMs };
/** How long a process has for counting the names of a graph before another one begins anew. */
const countingMs = 10 * 60_000;

const granted: readonly string[] = [];

const listedIn = (row: Row | undefined): NamesByKind => {
  const of = (kind: NameKind): ReadonlySet<string> => new Set((row?.[kind] ?? []) as string[]); // written below
  return {
    property_names: of("property_names"),
    relationship_types: of("relationship_types"),
    node_types: of("node_types"),
  };
};

/** Names with others added, as the list keeps them; kinds without a new name are left out. */
const extended = (listed: NamesByKind, added: NamesByKind): Row =>
  Object.fromEntries(
    nameKinds
      .filter((kind) => added[kind].size > 0)
      .map((kind) => [kind, [...new Set([...listed[kind], ...added[kind]])]]),
  );

/** Opens the names of a process. */
export const openNames = (graph: Graph, log: Log, now: () => number = Date.now): Names => {
  const known = openKnownNames();
  const counting = new Map<string, Promise<void>>();
  /** Reservations under way, one of each graph; none of them rejects. */
  const reserving = new Map<string, Promise<void>>();

  const count = async (project: NamedProject, database: Database, knownAs: string): Promise<void> => {
    const key = projectNamesKey(project.id);
    const found = await countNames(database, projectKey(project.pk));
    await database.write(async (tx) => {
      const [row] = await tx.run(lockNamesText, { key, now: now() });
      // What was found is not in the list of the organization yet.
      const fields = { ...extended(listedIn(row), found), count_time: now(), in_organization: false };
      await tx.run(setNamesText, { key, fields });
    }, options);
    known.add(knownAs, found);
  };

  /** Counts the names of a graph that is older than its list, in the background. */
  const beginCount = (project: NamedProject, database: Database, knownAs: string): void => {
    if (counting.has(knownAs)) return;
    const work = count(project, database, knownAs)
      .catch(async (error: unknown) => {
        log.warn("the names of a graph cannot be counted now; the next new name begins the count again", {
          project: project.id,
          error,
        });
        const released = { key: projectNamesKey(project.id), fields: { counting_until: 0 } };
        // The time of the count passes by itself.
        await database.write((tx) => tx.run(setNamesText, released), options).catch(() => undefined);
      })
      .finally(() => counting.delete(knownAs));
    counting.set(knownAs, work);
  };

  /** Whether the list holds all names of the graph; of one that was just made it does when the graph is empty. */
  const countState = async (
    tx: Transaction,
    project: NamedProject,
    row: Row,
  ): Promise<"counted" | "counting" | "to count"> => {
    if (typeof row["countTime"] === "number") return "counted";
    const key = projectNamesKey(project.id);
    if (Number(row["countingUntil"] ?? 0) > now()) return "counting";
    if (!(await hasNodes(tx, projectKey(project.pk)))) {
      await tx.run(setNamesText, { key, fields: { count_time: now() } });
      return "counted";
    }
    await tx.run(setNamesText, { key, fields: { counting_until: now() + countingMs } });
    return "to count";
  };

  /** @param partly whether refused parts leave the others granted. */
  const reserve = async (
    project: NamedProject,
    uses: readonly NameUse[],
    partly: boolean,
    timeoutMs: number,
  ): Promise<readonly (readonly string[])[]> => {
    // A database of another address has another list.
    const knownAs = `${project.id} ${project.connection?.url ?? ""}`;
    const newUses = (): { readonly use: NameUse; readonly at: number }[] => {
      const seen = known.of(knownAs);
      return uses.flatMap((use, at) => (newNamesOf(use, seen) === undefined ? [] : [{ use, at }]));
    };
    let open = newUses();
    // Writes that come together often have the same new names: the first one reserves them, the others find them known.
    for (let before = reserving.get(knownAs); before !== undefined && open.length > 0; open = newUses()) {
      await before;
      before = reserving.get(knownAs);
    }
    if (open.length === 0) return [];
    const database = graph.of(project);
    const key = projectNamesKey(project.id);
    const reserved = database.write(
      async (tx) => {
        const [row = {}] = await tx.run(lockNamesText, { key, now: now() });
        const state = await countState(tx, project, row);
        const listed = listedIn(row);
        const asked = open.map(({ use }) => use);
        const isNew = asked.some((use) => newNamesOf(use, listed) !== undefined);
        // A project's own database has room for its names alone.
        const organization =
          isNew && project.pk !== "" ? await lockOrganizationNames(tx, project, now()) : undefined;
        const judged = judgeNames(asked, listed, project.limits, organization);
        const isReserved = partly || judged.refusals.every((reasons) => reasons.length === 0);
        const fields = extended(listed, judged.added);
        if (isReserved && Object.keys(fields).length > 0) {
          const inOrganization = organization === undefined ? {} : { in_organization: true };
          await tx.run(setNamesText, { key, fields: { ...fields, ...inOrganization } });
          // What the project listed before lists of organizations were kept goes along.
          const already = row["inOrganization"] === true ? [] : [listed];
          await organization?.add([...already, judged.added]);
        }
        return { judged, state, listed, isReserved };
      },
      { timeoutMs },
    );
    const settled = reserved.then(
      ({ listed, judged, isReserved }) => {
        known.add(knownAs, listed);
        if (isReserved) known.add(knownAs, judged.added);
      },
      () => undefined,
    );
    reserving.set(knownAs, settled);
    const { judged, state } = await reserved.finally(() => {
      if (reserving.get(knownAs) === settled) reserving.delete(knownAs);
    });
    if (state === "to count") beginCount(project, database, knownAs);
    const isRefused = judged.refusals.some((reasons) => reasons.length > 0);
    if (isRefused && state !== "counted")
      throw new Problem("unavailable", {
        errors: ["project: the names of its graph are being counted for the first time"],
        headers: { "Retry-After": "10" },
      });
    const refusals = uses.map(() => granted);
    open.forEach(({ at }, index) => (refusals[at] = judged.refusals[index] ?? granted));
    return refusals;
  };

  return {
    reserve: async (project, uses, timeoutMs = usualMs) => {
      const errors = (await reserve(project, uses, false, timeoutMs)).flat();
      if (errors.length > 0) throw new Problem("unprocessable", { errors });
    },
    reserveEach: (project, uses) => reserve(project, uses, true, usualMs),
    settled: async () => void (await Promise.all(counting.values())),
  };
};
