export * from "./audit.ts";
export * from "./imports.ts";
export * from "./labels.ts";
export * from "./locks.ts";
export * from "./properties.ts";
export * from "./quote.ts";
export * from "./records.ts";
export * from "./trust.ts";
