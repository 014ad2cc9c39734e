import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useCurrentProject } from "../../../app/current-project.ts";
import { NamedRecord } from "../../../editors/record-editor/named-record.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import type { ReadPolicy } from "../draft/use-policy-draft.ts";
import "../../../editors/record-editor/record-editor.css";
import "../policies.css";
import { PolicyPage } from "./policy-page.tsx";

/** A policy by the name in the address. */
export const PolicyScreen = () => {
  const project = useCurrentProject();
  const { policy: name = "" } = useParams({ strict: false });
  // Another policy is another screen: what is chosen on one is not chosen on the next.
  return project === undefined ? null : <NamedPolicy key={name} projectId={project.id} name={name} />;
};

const NamedPolicy = ({ projectId, name }: { readonly projectId: string; readonly name: string }) => {
  const admin = useAdmin(projectId);
  const query = useQuery({
    queryKey: ["policy", projectId, name],
    queryFn: ({ signal }): Promise<ReadPolicy> => admin.policies.read(name, { signal }),
  });
  return (
    <NamedRecord
      kind="policy"
      name={name}
      question="What does this policy say?"
      query={query}
      all={
        <Link to="/policies" className="button">
          All policies
        </Link>
      }
    >
      {(read) => <PolicyPage projectId={projectId} read={read} />}
    </NamedRecord>
  );
};
