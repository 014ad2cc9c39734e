import { noTracing } from "@ikg/service";
import { type AuthorizedQuery, authorize } from "./authorize.ts";
import type { Execute, ExecuteParts } from "./execution.ts";
import { executionError } from "./execution-errors.ts";
import { runQuery } from "./run-query.ts";
import { openStatementContext } from "./statement-context.ts";
import { preparedStatements } from "./statements.ts";
import { toAnswer } from "./to-answer.ts";

const spanAttributes = ({ stored }: AuthorizedQuery) => ({
  "ikg.query": `${stored.id}@${stored.version}`,
  "ikg.policies": [`${stored.policyId}@${stored.policyVersion}`],
});

/**
 * Runs a stored knowledge query as its policy allows.
 *
 * @throws Problem as `authorize` and `executionError` say, and what `Database.read` and `Database.write` throw.
 */
export const openExecute = (parts: ExecuteParts): Execute => {
  const { resolvers, tracing = noTracing } = parts;
  const statementsOf = preparedStatements();

  return async (execution) => {
    const started = performance.now();
    const authorized = await authorize(parts, execution);
    const context = openStatementContext(parts, execution, authorized, started);
    try {
      const statements = statementsOf(authorized.query, authorized.view.project);
      return await tracing.span("query", spanAttributes(authorized), async () => {
        const page = await runQuery(parts, statements, context, execution, authorized);
        return toAnswer(resolvers, page, execution, authorized.view, context);
      });
    } catch (error) {
      context.memory.release();
      throw executionError(error, context.page.bytes);
    }
  };
};
