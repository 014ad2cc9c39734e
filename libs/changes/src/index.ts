export * from "./outbox.ts";
export * from "./publish.ts";
export { storeAnnouncements, type StoredAnnouncements } from "./stored-announcements.ts";
export * from "./watch.ts";
