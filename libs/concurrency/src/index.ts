export { createPeriodicTask, type PeriodicTask } from "./periodic-task.ts";
export { SingleFlight } from "./single-flight.ts";
export { TokenBucket } from "./token-bucket.ts";
export { untilAborted, withTimeout } from "./waiting.ts";
