export { closeWithin } from "./close-within.ts";
export { openOrganizationTurns, type OrganizationTurns } from "./organization-turns.ts";
export { openQueueing, type Queueing, type QueueingSettings } from "./queueing.ts";
export { openQueueTurn, type QueueTurn } from "./queue-turn.ts";
export { isRequeued, requeue } from "./requeue.ts";
export { jobIdOf, turnOptions } from "./turn-options.ts";
export { addOrganization, type TurnOwner, turnOwnerOf } from "./turn-owner.ts";
export { turnPriority } from "./turn-priorities.ts";
