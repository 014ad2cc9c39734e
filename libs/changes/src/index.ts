export { type ChangeHandlers, type ChangesLog, type ChangeWatch, watchChanges } from "./watch.ts";
