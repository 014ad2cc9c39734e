import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Empty } from "../../../parts/empty.tsx";
import { Statements } from "../../../parts/statements/statements.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import type { QueryDraft } from "../draft/draft.ts";
import { validatedFields } from "../draft/use-validation.ts";

interface QueryPreviewProps {
  readonly projectId: string;
  readonly draft: QueryDraft;
}

/** What the suite runs for the query as it is typed, and what it is expected to cost. */
export const QueryPreview = ({ projectId, draft }: QueryPreviewProps) => {
  const admin = useAdmin(projectId);
  const fields = validatedFields(draft);
  const query = useQuery({
    queryKey: ["query-preview", projectId, JSON.stringify(fields)],
    enabled: fields !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (fields === undefined) throw new Error("the query has a field that is no JSON");
      return (await admin.queries.validate(fields, { preview: true }, { signal })).statements ?? [];
    },
  });
  return (
    <div className="stack">
      <p className="lead">
        The Cypher that runs for this query, as it is typed, with the pattern and the filters of its policy,
        and the plan of the database for it.
      </p>
      {fields === undefined ? (
        <Empty title="Not yet">
          <p>{draft.policyId === "" ? "Choose a policy first." : "A field is no JSON yet."}</p>
        </Empty>
      ) : (
        <Statements kind="query" query={query} />
      )}
    </div>
  );
};
