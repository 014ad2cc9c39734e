/** Imports in browsers, from files that the user chooses. Pages load it on demand, because the schemas are large. */
import "./without-eval.ts";

export * from "../index.ts";
export { browserFile } from "./browser-file.ts";
export { MemoryStore } from "./memory-store.ts";
