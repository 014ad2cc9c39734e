import type { IncomingHttpHeaders } from "node:http";
import { requestIdKey } from "@ikg/service";
import { UpstreamFailure } from "./upstream-failure.ts";

/** An answer that did not come from the service. */
export class ForeignAnswer extends Error {
  override readonly name = "ForeignAnswer";
}

/**
 * Every answer of a service has an `X-Request-ID`. One without comes from something in between, such as a proxy, a mesh or
 * a firewall that answers for a service without instances: its 403 or 404 would blame the caller for an outage.
 *
 * @returns undefined for an answer of a service; the failure for any other one.
 */
export const foreignAnswer = (status: number, headers: IncomingHttpHeaders): UpstreamFailure | undefined =>
  headers[requestIdKey] === undefined
    ? new UpstreamFailure("lost", new ForeignAnswer(`answered ${status}, but not by the service`))
    : undefined;
