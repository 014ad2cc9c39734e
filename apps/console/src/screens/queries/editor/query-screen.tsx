import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useCurrentProject } from "../../../app/current-project.ts";
import { NamedRecord } from "../../../editors/record-editor/named-record.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import type { ReadQuery } from "../draft/use-query-draft.ts";
import "../../../editors/record-editor/record-editor.css";
import "../queries.css";
import { useQueryPolicies } from "../use-query-policies.ts";
import { QueryPage } from "./query-page.tsx";

/** A query by the name in the address. */
export const QueryScreen = () => {
  const project = useCurrentProject();
  const { query: name = "" } = useParams({ strict: false });
  // Another query is another screen: what is chosen on one is not chosen on the next.
  return project === undefined ? null : <NamedQuery key={name} projectId={project.id} name={name} />;
};

const NamedQuery = ({ projectId, name }: { readonly projectId: string; readonly name: string }) => {
  const admin = useAdmin(projectId);
  const policies = useQueryPolicies(projectId);
  const query = useQuery({
    queryKey: ["query", projectId, name],
    queryFn: ({ signal }): Promise<ReadQuery> => admin.queries.read(name, { signal }),
  });
  return (
    <NamedRecord
      kind="query"
      name={name}
      question="What does this query read or write?"
      query={query}
      all={
        <Link to="/queries" className="button">
          All queries
        </Link>
      }
    >
      {(read) => <QueryPage projectId={projectId} read={read} policies={policies} policyId="" />}
    </NamedRecord>
  );
};
