import type { CiqPolicy } from "../policy/ciq.ts";
import { compilePolicy, type Policy } from "../policy/compile.ts";
import { compileQuery, type KnowledgeQuery } from "../query/query.ts";
import { withWarnings, type CheckWithWarnings } from "./check-with-warnings.ts";
import { queryWarningsOf, warningsOf } from "./warnings.ts";

/** `compilePolicy` for the author of the text: with warnings, computed on demand. */
export const checkPolicy = (text: string): CheckWithWarnings<Policy> =>
  withWarnings(compilePolicy(text), warningsOf);

/** `compileQuery` likewise. */
export const checkQuery = (text: string, policy: CiqPolicy): CheckWithWarnings<KnowledgeQuery> =>
  withWarnings(compileQuery(text, policy), queryWarningsOf);
