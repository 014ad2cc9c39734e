import type { ServerResponse } from "node:http";
import type { Credentials } from "@ikg/auth";
import { type Caller, callerName, type ServiceName } from "@ikg/contracts";
import { partOfOrganization, type ProjectRate } from "@ikg/service";
import { tooManyRequests } from "./too-many-requests.ts";

/** Counts requests by their start, and between their admission and the end of their answer. */
export interface InFlight {
  /**
   * Counts a request until its response ends.
   *
   * @param service that will answer it.
   * @throws Problem `too_many_requests` (429) naming the limit, when its project, its organization or its credential has as many at once
   *   as it may have, or its project as many in a second.
   */
  enter(caller: Caller, service: ServiceName, response: ServerResponse): void;
}

export interface InFlightLimits {
  /** Requests of one key or service account at one time. */
  readonly perCredential: number;
  /** Connections to one service; a request takes one, or waits for one. */
  readonly sockets: number;
}

/** Requests under way by key. */
class Counts {
  readonly #counts = new Map<string, number>();

  hasCapacity(key: string, limit: number): boolean {
    return (this.#counts.get(key) ?? 0) < limit;
  }

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  remove(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    if (count <= 1) this.#counts.delete(key);
    else this.#counts.set(key, count - 1);
  }
}

/**
 * @param rate counts the requests of projects in a second.
 * @param onRefused called for each refusal, with the limit's name.
 */
export const openInFlight = (
  credentials: Pick<Credentials, "limitsOf">,
  rate: ProjectRate,
  { perCredential, sockets }: InFlightLimits,
  onRefused: (limit: string) => void = () => undefined,
): InFlight => {
  const projects = new Counts();
  const organizations = new Counts();
  const kids = new Counts();
  const perOrganization = Math.max(perCredential, Math.floor(sockets * partOfOrganization));
  const refuse = (limit: string, detail: string): never => {
    onRefused(limit);
    throw tooManyRequests(detail, 1);
  };
  return {
    enter: (caller, service, response) => {
      // The caller has disconnected, and the event was emitted before this listener could be added.
      if (response.destroyed || response.closed) return;
      const kid = callerName(caller);
      const organization = `${service} ${caller.org}`;
      const project = caller.kind === "agent" ? caller.project : undefined;
      let most = perOrganization;
      if (project !== undefined && caller.kind === "agent") {
        const { requests_in_flight: limit, requests_per_second: perSecond } = credentials.limitsOf(caller);
        rate.take(project, perSecond);
        if (!projects.hasCapacity(project, limit))
          refuse(
            "requests_in_flight",
            `requests_in_flight: at most ${limit} requests of the project at one time (limit requests_in_flight, ${limit})`,
          );
        most = Math.max(most, limit);
      }
      if (!organizations.hasCapacity(organization, most))
        refuse(
          "organization requests in flight",
          `requests in flight of an organization: at most ${most} to one service at one time (three quarters of the setting UPSTREAM_SOCKETS, ${sockets})`,
        );
      if (!kids.hasCapacity(kid, perCredential))
        refuse(
          "credential requests in flight",
          `requests in flight of a credential: at most ${perCredential} at one time (setting CREDENTIAL_REQUESTS_IN_FLIGHT, ${perCredential})`,
        );
      kids.add(kid);
      organizations.add(organization);
      if (project !== undefined) projects.add(project);
      response.once("close", () => {
        kids.remove(kid);
        organizations.remove(organization);
        if (project !== undefined) projects.remove(project);
      });
    },
  };
};
