import { Problem } from "@ikg/contracts";

/**
 * The refusal of a request that exceeds a limit.
 *
 * @param detail names the limit.
 * @param seconds after which the caller may try again.
 */
export const tooManyRequests = (detail: string, seconds: number): Problem =>
  new Problem("too_many_requests", { errors: [detail], headers: { "Retry-After": String(seconds) } });
