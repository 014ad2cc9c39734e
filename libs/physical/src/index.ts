export * from "./keys.ts";
export * from "./labels.ts";
export * from "./project-key.ts";
export * from "./properties.ts";
export * from "./quote.ts";
export * from "./records.ts";
