export { Activity } from "./activity.ts";
export { type Clock, systemClock } from "./clock.ts";
export {
  contentionMs,
  defaultHeavyStatements,
  type HeavyBounds,
  type HeavySlot,
  type HeavySlots,
} from "./heavy-slots.ts";
export { openLoopTurns } from "./loop-turns.ts";
export { mapInParallel } from "./map-in-parallel.ts";
export { createPeriodicTask, type PeriodicTask } from "./periodic-task.ts";
export { openRefusalPace, type RefusalLimits, refusalLimits, type RefusalPace } from "./refusal-pace.ts";
export { RefreshAhead } from "./refresh-ahead.ts";
export { type BucketStore, openSharedRate, type SharedRate } from "./shared-rate.ts";
export { SingleFlight } from "./single-flight.ts";
export type { Tenant } from "./tenant.ts";
export { maxRefillMs, TokenBucket } from "./token-bucket.ts";
export { untilAborted, withTimeout } from "./waiting.ts";
