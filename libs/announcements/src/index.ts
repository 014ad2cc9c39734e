export { openOutbox, type Outbox } from "./outbox.ts";
export { storeAnnouncements, type StoredAnnouncements } from "./stored-announcements.ts";
export { type ChangeWatch, watchChanges } from "./watch.ts";
