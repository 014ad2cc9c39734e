import { SingleFlight, withTimeout } from "@ikg/concurrency";
import { type OrganizationNameLimits, Problem, type ProjectLimits } from "@ikg/contracts";
import {
  type Database,
  type Graph,
  type ProjectGraph,
  type Row,
  StatementTimeout,
  type Transaction,
} from "@ikg/graph";
import { projectKey, projectNamesKey } from "@ikg/physical";
import { completeList, countedTypes, mergeNames, listedNames } from "./complete-list.ts";
import { countNames, hasNodes } from "./count-names.ts";
import { checkNameLimits, newNamesOf } from "./check-name-limits.ts";
import { type KnownNames, openKnownNames } from "./known-names.ts";
import type { NameKind, NamesByKind, NameUse } from "./name-use.ts";
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
   *   graph are counted for the first time and the limit seems to be exceeded; StatementTimeout past the limit; as
   *   `Database.write`.
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

interface Log {
  warn(message: string, fields?: Record<string, unknown>): unknown;
}

const defaultTimeoutMs = 10_000;
const options = { timeoutMs: defaultTimeoutMs };
/** Milliseconds after which a count that did not end is begun again, by any process. */
const countingMs = 10 * 60_000;

const granted: readonly string[] = [];

/** Whether the list of a project has all names of its graph. */
type CountState = "counted" | "counting" | "to count";

/** A part of a write that has names which are not known as reserved, with its place in the write. */
interface NewUse {
  readonly use: NameUse;
  readonly at: number;
}

/** The result of a reservation in its transaction. */
interface Reserved {
  readonly check: ReturnType<typeof checkNameLimits>;
  readonly state: CountState;
  readonly listed: NamesByKind;
  readonly isReserved: boolean;
}

interface Request {
  readonly project: NamedProject;
  readonly uses: readonly NameUse[];
  /** Whether refused parts leave the others granted. */
  readonly isPartial: boolean;
  readonly timeoutMs: number;
}

/** The list of a project is in its database: once the project was moved, it has another one. */
const graphKey = ({ id, connection }: ProjectGraph): string =>
  `${id} ${connection?.url ?? ""} ${connection?.name ?? ""}`;

class GraphNames implements Names {
  readonly #graph: Graph;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #known: KnownNames = openKnownNames();
  readonly #counts = new SingleFlight<string, void>();
  /** Reservations under way, one of each graph; none of them rejects. */
  readonly #reserving = new Map<string, Promise<void>>();

  constructor(graph: Graph, log: Log, now: () => number) {
    this.#graph = graph;
    this.#log = log;
    this.#now = now;
  }

  async reserve(
    project: NamedProject,
    uses: readonly NameUse[],
    timeoutMs: number = defaultTimeoutMs,
  ): Promise<void> {
    const errors = (await this.#reserve({ project, uses, isPartial: false, timeoutMs })).flat();
    if (errors.length > 0) throw new Problem("unprocessable", { errors });
  }

  reserveEach(project: NamedProject, uses: readonly NameUse[]): Promise<readonly (readonly string[])[]> {
    return this.#reserve({ project, uses, isPartial: true, timeoutMs: defaultTimeoutMs });
  }

  settled(): Promise<void> {
    return this.#counts.settled();
  }

  async #reserve(request: Request): Promise<readonly (readonly string[])[]> {
    const { project, uses, timeoutMs } = request;
    const deadline = performance.now() + timeoutMs;
    const left = (): number => Math.max(1, deadline - performance.now());
    const key = graphKey(project);
    let open = this.#newUses(key, uses);
    // Concurrent writes often have the same new names: the first one reserves them, the others find them known.
    for (let before = this.#reserving.get(key); before !== undefined && open.length > 0;) {
      await withTimeout(before, left(), () => new StatementTimeout(timeoutMs));
      open = this.#newUses(key, uses);
      before = this.#reserving.get(key);
    }
    if (open.length === 0) return [];
    // Nothing is awaited since no other reservation of the graph was under way.
    const database = this.#graph.of(project);
    const { check, state } = await this.#inTurn(key, () =>
      database.write((tx) => this.#reserveIn(tx, request, open), { timeoutMs: left() }),
    );
    if (state === "to count") this.#beginCount(project, database);
    const isRefused = check.refusals.some((reasons) => reasons.length > 0);
    if (isRefused && state !== "counted")
      throw new Problem("unavailable", {
        errors: ["project: the names of its graph are being counted for the first time"],
        headers: { "Retry-After": "10" },
      });
    const refusals = uses.map(() => granted);
    open.forEach(({ at }, index) => (refusals[at] = check.refusals[index] ?? granted));
    return refusals;
  }

  /** The parts of a write whose names are not all known as reserved. */
  #newUses(key: string, uses: readonly NameUse[]): readonly NewUse[] {
    const known = this.#known.of(key);
    return uses.flatMap((use, at) => (newNamesOf(use, known) === undefined ? [] : [{ use, at }]));
  }

  /** Runs a reservation while later ones wait, and adds its names to the known ones. */
  async #inTurn(key: string, reserve: () => Promise<Reserved>): Promise<Reserved> {
    const reserved = reserve();
    const settled = reserved.then(
      ({ listed, check, isReserved }) => {
        this.#known.add(key, listed);
        if (isReserved) this.#known.add(key, check.added);
      },
      () => undefined,
    );
    this.#reserving.set(key, settled);
    return reserved.finally(() => {
      if (this.#reserving.get(key) === settled) this.#reserving.delete(key);
    });
  }

  async #reserveIn(
    tx: Transaction,
    { project, isPartial }: Request,
    open: readonly NewUse[],
  ): Promise<Reserved> {
    const key = projectNamesKey(project.id);
    const [row = {}] = await tx.run(lockNamesText, { key, now: this.#now() });
    const state = await this.#countState(tx, project, row);
    const listed = listedNames(row);
    const uses = open.map(({ use }) => use);
    const isNew = uses.some((use) => newNamesOf(use, listed) !== undefined);
    // A project's own database has no names of others.
    const organization =
      isNew && project.pk !== "" ? await lockOrganizationNames(tx, project, this.#now()) : undefined;
    const check = checkNameLimits(uses, listed, project.limits, organization);
    const isReserved = isPartial || check.refusals.every((reasons) => reasons.length === 0);
    const fields = mergeNames(listed, check.added);
    if (isReserved && Object.keys(fields).length > 0) {
      const inOrganization = organization === undefined ? {} : { in_organization: true };
      await tx.run(setNamesText, { key, fields: { ...fields, ...inOrganization } });
      // What the project listed before lists of organizations were kept, or counted in its graph, is added as well.
      await organization?.add([listed, check.added], countedTypes(row));
    }
    return { check, state, listed, isReserved };
  }

  /** The list of a project that was just made is complete when the graph is empty. */
  async #countState(tx: Transaction, project: NamedProject, row: Row): Promise<CountState> {
    if (typeof row["countTime"] === "number") return "counted";
    const key = projectNamesKey(project.id);
    if (Number(row["countingUntil"] ?? 0) > this.#now()) return "counting";
    if (!(await hasNodes(tx, projectKey(project.pk)))) {
      await tx.run(setNamesText, { key, fields: { count_time: this.#now() } });
      return "counted";
    }
    await tx.run(setNamesText, { key, fields: { counting_until: this.#now() + countingMs } });
    return "to count";
  }

  /** Counts the names of a graph that is older than its list, in the background. */
  #beginCount(project: NamedProject, database: Database): void {
    void this.#counts.run(graphKey(project), () =>
      this.#count(project, database).catch(async (error: unknown) => {
        this.#log.warn(
          "the names of a graph cannot be counted now; the next new name begins the count again",
          {
            project: project.id,
            error,
          },
        );
        const released = { key: projectNamesKey(project.id), fields: { counting_until: 0 } };
        // Otherwise the next count begins after `countingMs`.
        await database.write((tx) => tx.run(setNamesText, released), options).catch(() => undefined);
      }),
    );
  }

  async #count(project: NamedProject, database: Database): Promise<void> {
    const found = await countNames(database, projectKey(project.pk));
    await database.write((tx) => completeList(tx, project.id, found, this.#now()), options);
    this.#known.add(graphKey(project), found);
  }
}

/** Opens the names of a process. */
export const openNames = (graph: Graph, log: Log, now: () => number = Date.now): Names =>
  new GraphNames(graph, log, now);
