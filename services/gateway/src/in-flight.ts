import type { ServerResponse } from "node:http";
import type { Credentials } from "@ikg/auth";
import { type Caller, callerName } from "@ikg/contracts";
import type { ProjectRate } from "@ikg/service";
import { tooManyRequests } from "./too-many-requests.ts";

/** Counts requests by their start, and between their admission and the end of their answer. */
export interface InFlight {
  /**
   * Counts a request until its response ends.
   *
   * @throws Problem `too_many_requests` (429) naming the limit, when its project or its credential has as many at once
   *   as it may have, or its project as many in a second.
   */
  enter(caller: Caller, response: ServerResponse): void;
}

/** One more under a key, unless there are as many as allowed. */
const take = (counts: Map<string, number>, key: string, limit: number): boolean => {
  const count = counts.get(key) ?? 0;
  if (count >= limit) return false;
  counts.set(key, count + 1);
  return true;
};

const giveBack = (counts: Map<string, number>, key: string): void => {
  const count = counts.get(key) ?? 0;
  if (count <= 1) counts.delete(key);
  else counts.set(key, count - 1);
};

/**
 * @param rate counts the requests of projects in a second.
 * @param perCredential requests of one key or service account at one time.
 * @param onRefused called for each refusal, with the limit's name.
 */
export const openInFlight = (
  credentials: Pick<Credentials, "limitsOf">,
  rate: ProjectRate,
  perCredential: number,
  onRefused: (limit: string) => void = () => undefined,
): InFlight => {
  const projects = new Map<string, number>();
  const kids = new Map<string, number>();
  return {
    enter: (caller, response) => {
      // The caller has disconnected, and the event was emitted before this listener could be added.
      if (response.destroyed || response.closed) return;
      const kid = callerName(caller);
      const project = caller.kind === "agent" ? caller.project : undefined;
      if (project !== undefined && caller.kind === "agent") {
        const { requests_in_flight: limit, requests_per_second: perSecond } = credentials.limitsOf(caller);
        rate.take(project, perSecond);
        if (!take(projects, project, limit)) {
          onRefused("requests_in_flight");
          throw tooManyRequests(
            `requests_in_flight: at most ${limit} requests of the project at one time (limit requests_in_flight, ${limit})`,
            1,
          );
        }
      }
      if (!take(kids, kid, perCredential)) {
        if (project !== undefined) giveBack(projects, project);
        onRefused("credential requests in flight");
        throw tooManyRequests(
          `requests in flight of a credential: at most ${perCredential} at one time (setting CREDENTIAL_REQUESTS_IN_FLIGHT, ${perCredential})`,
          1,
        );
      }
      response.once("close", () => {
        giveBack(kids, kid);
        if (project !== undefined) giveBack(projects, project);
      });
    },
  };
};
