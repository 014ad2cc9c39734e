/** What pages use: the same imports, with files that people choose. Loaded when it is needed, because schemas are large. */
import "./without-eval.ts";

export * from "../index.ts";
export { browserFile } from "./browser-file.ts";
export { MemoryStore } from "./memory-store.ts";
