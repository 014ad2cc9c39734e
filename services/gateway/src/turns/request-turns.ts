/** When requests of projects are forwarded, while several projects are active (docs/decisions/0031-turns-of-requests.md). */
import type { ServerResponse } from "node:http";
import { Activity, contentionMs } from "@ikg/concurrency";
import { LRUCache } from "lru-cache";
import { tooManyRequests } from "../too-many-requests.ts";
import { ProjectTurns, type TurnLimits } from "./project-turns.ts";
import type { OperationTurns } from "./operation-turns.ts";

/** Quick requests for each heavy statement that the database may run. */
const quickForHeavy = 8;

/** While its body is read, a request counts as one for each of these bytes of it, up to `quickForHeavy`: that takes time as well. */
const bodyBytesOfOne = 128 * 1024;

/**
 * How long a request waits for its turn at most, in milliseconds, drawn for each request: if they were refused together, their callers
 * would send the next ones together.
 */
const waitMs = { least: 5_000, most: 10_000 } as const;

/** Projects that are known at one time; of one that is forgotten the next request is as its first. */
const maxProjects = 10_000;

export interface RequestTurns {
  /** Requests of all projects that wait. */
  readonly waiting: number;
  /**
   * Resolves when a request may be forwarded, or when its caller has disconnected. Call it once for a request, before anything of it is
   * sent to a service.
   *
   * @param operation whose requests take about as long as one another.
   * @param bodyBytes length of its body; 0 where the caller does not state it.
   * @param response whose end is that of the request.
   * @throws Problem `too_many_requests` (429) after some seconds.
   */
  turn(project: string, operation: string, bodyBytes: number, response: ServerResponse): Promise<void>;
  /** Forwards all requests at once from now on, so that those that wait end before their process does. */
  stop(): void;
}

/** @param heavyStatements that the database may run at once while several projects are active. */
export const turnLimits = (heavyStatements: number): TurnLimits => ({
  quick: quickForHeavy * heavyStatements,
  slow: heavyStatements,
});

const countOf = (bodyBytes: number): number =>
  Math.min(quickForHeavy, Math.max(1, Math.ceil(bodyBytes / bodyBytesOfOne)));

const untilTurn = (
  project: ProjectTurns,
  operation: OperationTurns,
  response: ServerResponse,
  count: number,
  until: number,
  refusal: () => Error,
): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = {
    until,
    start: () => {
      begin(project, operation, response, count);
      resolve();
    },
    refuse: () => reject(refusal()),
  };
  project.wait(operation, request);
  response.once("close", () => {
    project.leave(operation, request);
    resolve();
  });
  return promise;
};

const begin = (
  project: ProjectTurns,
  operation: OperationTurns,
  response: ServerResponse,
  count: number,
): void => {
  project.begin(operation, response, count);
  response.once("close", () => {
    const isRefusal = response.statusCode === 401 || response.statusCode === 429;
    project.end(operation, response, isRefusal);
  });
};

/**
 * @param onRefused called for each refusal, with the limit's name.
 * @param now milliseconds of the monotonic clock.
 */
export const openRequestTurns = (
  limits: TurnLimits,
  onRefused: (limit: string) => void = () => undefined,
  now: () => number = () => performance.now(),
): RequestTurns => {
  const projects = new LRUCache<string, ProjectTurns>({ max: maxProjects });
  const activity = new Activity<ProjectTurns>();
  let isStopping = false;
  const isContended = (project: ProjectTurns, time: number): boolean =>
    !isStopping && time - activity.usedBesidesAt(project) < contentionMs;
  const projectOf = (id: string): ProjectTurns => {
    let project = projects.get(id);
    if (project === undefined) projects.set(id, (project = new ProjectTurns(limits, isContended, now)));
    return project;
  };
  const refusal = (): Error => {
    onRefused("turns of requests");
    return tooManyRequests(
      `turns of requests: while other projects were active, this project had more than ${limits.quick} requests at one time, and this one waited ${waitMs.least / 1_000} s or longer for its turn; send fewer requests at one time`,
      2,
    );
  };
  return {
    get waiting() {
      let waiting = 0;
      for (const project of projects.values()) waiting += project.waiting;
      return waiting;
    },
    turn: async (id, operationName, bodyBytes, response) => {
      // The caller has disconnected, and the event was emitted before this listener could be added.
      if (response.destroyed || response.closed) return;
      const time = now();
      const project = projectOf(id);
      const operation = project.operation(operationName);
      const count = countOf(bodyBytes);
      activity.touch(project, time);
      if (project.admits(operation, time)) {
        begin(project, operation, response, count);
        return;
      }
      const until = time + waitMs.least + Math.random() * (waitMs.most - waitMs.least);
      await untilTurn(project, operation, response, count, until, refusal);
    },
    stop: () => {
      isStopping = true;
      for (const project of projects.values()) project.startWaiting();
    },
  };
};
