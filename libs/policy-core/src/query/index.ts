export { compileQuery, type KnowledgeQuery } from "./query.ts";
export { permitQuery, type PermittedQuery, type QueryRefusal } from "./refusal.ts";
export { pinnedSubjectKey, type QueryCaller } from "./subject-key.ts";
