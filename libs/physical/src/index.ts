export * from "./labels.ts";
export * from "./properties.ts";
export * from "./quote.ts";
export * from "./records.ts";
