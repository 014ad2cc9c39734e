export { closeWithin } from "./close-within.ts";
export { openQueueing, type Queueing, type QueueingSettings } from "./queueing.ts";
export { isRequeued, requeue } from "./requeue.ts";
export { jobIdOf, turnOptions } from "./turn-options.ts";
