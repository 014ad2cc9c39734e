import { Problem } from "@ikg/contracts";

/** The problem of a request whose body cannot be read. */
export const malformedBody = (reason: string, cause?: unknown): Problem =>
  new Problem("malformed_body", { errors: [`body: ${reason}`], cause });
