import type { ServerResponse } from "node:http";
import type { Credentials } from "@ikg/auth";
import { type Caller, callerName, type ServiceName } from "@ikg/contracts";
import { Holdings, organizationShare, type ProjectRate } from "@ikg/service";
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
  const perOrganization = Math.max(perCredential, Math.floor(sockets * organizationShare));
  const projects = new Holdings(Infinity);
  const organizations = new Holdings(Infinity);
  const kids = new Holdings(perCredential);
  const count = (kid: string, organization: string, project: string | undefined, by: 1 | -1): void => {
    kids.add(kid, by);
    organizations.add(organization, by);
    if (project !== undefined) projects.add(project, by);
  };
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
        if (!projects.hasCapacity(project, 1, limit))
          refuse(
            "requests_in_flight",
            `requests_in_flight: at most ${limit} requests of the project at one time (limit requests_in_flight, ${limit})`,
          );
        most = Math.max(most, limit);
      }
      if (!organizations.hasCapacity(organization, 1, most))
        refuse(
          "organization requests in flight",
          `organization requests in flight: at most ${most} to one service at one time (three quarters of the setting UPSTREAM_SOCKETS, ${sockets})`,
        );
      if (!kids.hasCapacity(kid, 1))
        refuse(
          "credential requests in flight",
          `credential requests in flight: at most ${perCredential} at one time (setting CREDENTIAL_REQUESTS_IN_FLIGHT, ${perCredential})`,
        );
      count(kid, organization, project, 1);
      response.once("close", () => count(kid, organization, project, -1));
    },
  };
};
