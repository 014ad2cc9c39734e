/**
 * The load under which a suite is upgraded: questions whose answers are known, captures and imports that must not get lost, and
 * every kind of request besides, of a project of its own.
 */
import { setTimeout as pause } from "node:timers/promises";
import { say } from "../../launch/progress.mjs";
import type { ClientEnvironment } from "../environment.ts";
import {
  everyRequest,
  type Load,
  loadAtRate,
  type LoadProject,
  makeLoadProject,
  removeLoadProject,
} from "../testing/suites/load.ts";
import { loadType } from "./contents.ts";
import type { DataSet, DataSetProject } from "./data-set.ts";
import { importNodes } from "./import-nodes.ts";
import { type LoadPhases, openLoadPhases } from "./load-phases.ts";
import { decide, rowsOf, together } from "./populate.ts";

export interface UpgradeLoad {
  /** What was not as it must be, in words; empty for a good run. */
  readonly faults: () => readonly string[];
  /** Requests so far. */
  readonly requestCount: () => number;
  /** Ids of the nodes whose capture was acknowledged, or whose import is done, by project. */
  readonly written: ReadonlyMap<DataSetProject, readonly string[]>;
  readonly phases: LoadPhases;
  /**
   * Waits until no request fails throughout a pass. What failed before is forgotten, and printed: a database that was started a moment ago
   * takes long for its first statements. Wrong answers are not forgotten.
   *
   * @throws Error with some of the last failures after five minutes
   */
  untilWarm(): Promise<void>;
  /** Ends it once the imports that were accepted have ended. */
  end(): Promise<void>;
}

const leastPauseMs = 100;
const writeBatch = 5;
const importBatch = 50;

/** How much the load asks. */
export interface LoadRate {
  /**
   * How many times as long as an answer took the caller then pauses: a server that is slow is not asked more, and processors have time for
   * services that start and statements that are planned anew.
   */
  readonly pauses: number;
  /** Requests of every kind in a second. */
  readonly othersPerSecond: number;
}

const warmMs = 300_000;
/** Failures in a message. */
const shownFailures = 3;

const defaultRate: LoadRate = { pauses: 3, othersPerSecond: 3 };

/** Asks every question of a data set once. @returns those that are answered otherwise than before */
export const askAll = async (url: string, { projects, questions }: DataSet): Promise<readonly string[]> => {
  const wrong: string[] = [];
  for (const [at, { key }] of projects.entries()) {
    const own = questions.filter(({ project }) => project === at);
    for (let from = 0; from < own.length; from += together) {
      const part = own.slice(from, from + together);
      const decisions = await decide(url, key, part);
      part.forEach((question, index) => {
        if (decisions[index] !== question.decision) wrong.push(JSON.stringify(question));
      });
    }
  }
  return wrong;
};

/** What the callers of a load share. */
interface Course {
  readonly url: string;
  readonly set: DataSet;
  readonly stop: AbortSignal;
  readonly rate: LoadRate;
  /** Answers that are not those of before, in words. */
  readonly wrong: string[];
  readonly written: Map<DataSetProject, string[]>;
  readonly phases: LoadPhases;
  /** Counts a request, and notes why it failed. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
}

/** Pauses after work in proportion to the time that it took. */
const pauseAfter = async (
  { stop, rate }: Pick<Course, "stop" | "rate">,
  work: () => Promise<void>,
): Promise<void> => {
  const start = performance.now();
  await work();
  const ms = Math.max(leastPauseMs, rate.pauses * (performance.now() - start));
  await pause(ms, undefined, { signal: stop }).catch(() => undefined);
};

/** Asks every question once. */
const askQuestions = async (course: Course): Promise<void> => {
  const { url, set, stop, wrong, attempt, phases } = course;
  const phase = phases.current();
  for (const [at, { key }] of set.projects.entries()) {
    const own = set.questions.filter(({ project }) => project === at);
    for (let from = 0; from < own.length && !stop.aborted; from += together) {
      const part = own.slice(from, from + together);
      const askPart = async (): Promise<void> => {
        const decisions = await decide(url, key, part);
        part.forEach((question, index) => {
          if (decisions[index] !== question.decision)
            wrong.push(`another decision: ${JSON.stringify(question)}`);
        });
      };
      await pauseAfter(course, () => attempt(askPart));
    }
  }
  if (!stop.aborted && phase === phases.current()) phase.passes += 1;
};

const readRows = async ({ url, set, wrong, attempt }: Course): Promise<void> => {
  for (const project of set.projects)
    await attempt(async () => {
      const rows = (await rowsOf(url, project)).length;
      if (rows !== project.rows) wrong.push(`${rows} rows in place of ${project.rows}`);
    });
};

const nodesOf = (ids: readonly string[]): readonly object[] =>
  ids.map((external_id) => ({ type: loadType, external_id }));

const addWritten = (
  { written }: Pick<Course, "written">,
  project: DataSetProject,
  ids: readonly string[],
): void => {
  const all = written.get(project) ?? [];
  all.push(...ids);
  written.set(project, all);
};

/** @returns captures nodes in every project, none of them twice */
const makeCapture = (course: Course): (() => Promise<void>) => {
  const { url, set, attempt } = course;
  let count = 0;
  return async () => {
    for (const project of set.projects)
      await attempt(async () => {
        const ids = Array.from({ length: writeBatch }, () => `mark-${count++}`);
        const response = await fetch(`${url}/capture/v1/nodes`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-svc-clientkey": project.key },
          body: JSON.stringify({ nodes: nodesOf(ids) }),
        });
        const text = await response.text();
        if (response.status !== 200) throw new Error(`capture: ${response.status} ${text}`);
        addWritten(course, project, ids);
      });
  };
};

/**
 * @returns imports nodes into all projects at once, again and again, so that imports of one organization wait for one another, and processes
 *   of one build write what those of the other one have accepted.
 */
const makeImport = (course: Course): (() => Promise<void>) => {
  const { url, set, attempt, phases } = course;
  let count = 0;
  const importInto = (project: DataSetProject): Promise<void> =>
    attempt(async () => {
      const ids = Array.from({ length: importBatch }, () => `import-${count++}`);
      const phase = phases.current();
      await importNodes(url, project, nodesOf(ids));
      phase.imports += 1;
      addWritten(course, project, ids);
    });
  return async () => {
    await Promise.all(set.projects.map(importInto));
  };
};

/** Requests of every kind at the rate of the load, in rounds. */
const sendOthers = (
  environment: ClientEnvironment,
  project: LoadProject,
  { othersPerSecond }: LoadRate,
  each: Parameters<typeof loadAtRate>[4],
) => {
  const begin = () => {
    const stop = new AbortController();
    return { stop, load: loadAtRate(environment, project, othersPerSecond, stop.signal, each) };
  };
  let current = begin();
  const end = (): Promise<Load> => {
    current.stop.abort();
    return current.load;
  };
  return {
    end,
    /** @returns the round that ends */
    restart: async (): Promise<Load> => {
      const ended = await end();
      current = begin();
      return ended;
    },
  };
};

/** @returns what ends when each of them has its last answer */
const startCallers = (course: Course): readonly Promise<void>[] => {
  const others = [() => readRows(course), makeCapture(course), makeImport(course)];
  const callers = [() => askQuestions(course), ...others.map((work) => () => pauseAfter(course, work))];
  return callers.map(async (work) => {
    while (!course.stop.aborted) await work();
  });
};

/** @returns why it failed, with the time of day and how long it took; empty: it did not */
const failureOf = async (work: () => Promise<void>): Promise<readonly string[]> => {
  const start = performance.now();
  try {
    await work();
    return [];
  } catch (error) {
    return [
      `${new Date().toISOString()}, after ${Math.round(performance.now() - start)} ms: ${String(error)}`,
    ];
  }
};

/**
 * Starts it: one caller asks everything again and again, others read rows, capture nodes and import some, and requests of every
 * kind come at a rate.
 *
 * @param phase name of the first one.
 */
export const startUpgradeLoad = async (
  url: string,
  set: DataSet,
  phase: string,
  rate: LoadRate = defaultRate,
): Promise<UpgradeLoad> => {
  const environment = {
    base_url: url,
    mcp_url: `${url}/mcp/v1`,
    organization_id: set.organizationId,
    service_account_token: set.token,
  };
  const project = await makeLoadProject(environment, "load");
  const stop = new AbortController();
  const wrong: string[] = [];
  const failed: string[] = [];
  const written = new Map<DataSetProject, string[]>();
  const phases = openLoadPhases(phase, set.projects.length);
  let requests = 0;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    requests += 1;
    failed.push(...(await failureOf(work)));
  };
  const course: Course = { url, set, rate, stop: stop.signal, wrong, written, phases, attempt };
  const running = startCallers(course);
  const each = everyRequest(environment, project);
  const others = sendOthers(environment, project, rate, each);
  const addOthers = ({ sent, failures }: Load): void => {
    requests += sent;
    for (const [failure, times] of failures) failed.push(`${times} × ${failure}`);
  };
  return {
    faults: () => [...wrong, ...failed],
    requestCount: () => requests,
    written,
    phases,
    untilWarm: async () => {
      for (const end = Date.now() + warmMs; ;) {
        await phases.untilCovered();
        addOthers(await others.restart());
        const before = failed.splice(0);
        if (before.length === 0) return;
        const shown = `${before.length} failures with nothing replaced: ${before.slice(0, shownFailures).join("; ")}`;
        say(shown);
        if (Date.now() > end) throw new Error(shown);
        requests = 0;
      }
    },
    end: async () => {
      stop.abort();
      const last = others.end();
      await Promise.all(running);
      addOthers(await last);
      await removeLoadProject(environment, project);
    },
  };
};
