export { compileQuery, type KnowledgeQuery } from "./query.ts";
