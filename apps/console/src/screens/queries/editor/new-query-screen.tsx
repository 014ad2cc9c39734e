import { useSearch } from "@tanstack/react-router";
import { useCurrentProject } from "../../../app/current-project.ts";
import { Loaded } from "../../../queries/loaded.tsx";
import "../../../editors/record-editor/record-editor.css";
import "../queries.css";
import { newQuerySearch } from "../query-search.ts";
import { useQueryPolicies } from "../use-query-policies.ts";
import { QueryPage } from "./query-page.tsx";

/** A query that is not saved yet. */
export const NewQueryScreen = () => {
  const project = useCurrentProject();
  return project === undefined ? null : <NewQuery projectId={project.id} />;
};

const NewQuery = ({ projectId }: { readonly projectId: string }) => {
  const policies = useQueryPolicies(projectId);
  const { policy } = newQuerySearch({ ...useSearch({ strict: false }) });
  return (
    <Loaded query={policies.query} what="the policies">
      {(records) => {
        const named = records.find(({ name }) => name === policy);
        const [only, ...others] = policies.policies?.keys() ?? [];
        // With one policy there is nothing to choose.
        const first = named?.id ?? (others.length === 0 ? only : undefined) ?? "";
        return <QueryPage projectId={projectId} read={undefined} policies={policies} policyId={first} />;
      }}
    </Loaded>
  );
};
