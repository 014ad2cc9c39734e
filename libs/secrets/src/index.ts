export * from "./key-ring.ts";
export * from "./seal.ts";
