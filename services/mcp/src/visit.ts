import type { Token } from "@ikg/auth";
import type { Door } from "./door/door.ts";

/** One request that was let in: by whom, to what. */
export interface Visit {
  readonly door: Door;
  readonly user: Token;
  readonly requestId: string;
}
