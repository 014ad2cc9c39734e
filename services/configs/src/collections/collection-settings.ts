import type { LimitBounds } from "@ikg/contracts";
import type { Budget } from "@ikg/policy-core";
import type { Redis } from "ioredis";

/** What the collections of a service depend on. */
export interface CollectionSettings {
  readonly baseUrl: string;
  readonly pepper: Uint8Array;
  readonly redis: Redis;
  readonly defaultRegion: string;
  readonly limits: LimitBounds;
  /** What the expressions of policies and queries may need. */
  readonly budget?: Budget;
  /** http addresses of issuers are accepted. */
  readonly allowHttp: boolean;
  /** A PUT of a policy without `tags` removes them; otherwise it leaves them. */
  readonly absentTagsClear?: boolean;
}
