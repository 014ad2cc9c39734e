import type { CiqPolicy } from "../policy/ciq.ts";
import { compilePolicy, type Policy } from "../policy/compile.ts";
import { compileQuery, type KnowledgeQuery } from "../query/query.ts";
import { advised, type Advised } from "./advised.ts";
import { queryWarningsOf, warningsOf } from "./warnings.ts";

/** `compilePolicy` for the author of the text: with warnings, computed on demand. */
export const checkPolicy = (text: string): Advised<Policy> => advised(compilePolicy(text), warningsOf);

/** `compileQuery` likewise. */
export const checkQuery = (text: string, policy: CiqPolicy): Advised<KnowledgeQuery> =>
  advised(compileQuery(text, policy), queryWarningsOf);
