import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useCurrentProject } from "../../../app/current-project.ts";
import { Empty } from "../../../parts/empty.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Screen } from "../../../parts/screen.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import { IkgError } from "@ikg/client";
import { displayText } from "../../../parts/plain-text.tsx";
import type { ReadPolicy } from "../draft/use-policy-draft.ts";
import "../../../parts/record-editor/record-editor.css";
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
  const isAbsent = query.error instanceof IkgError && query.error.status === 404;
  if (query.data === undefined || isAbsent)
    return (
      <Screen title={displayText(name, 80)} question="What does this policy say?">
        {isAbsent ? (
          <Empty title="There is no such policy">
            <p>It may have been removed, or its name mistyped.</p>
            <Link to="/policies" className="button">
              All policies
            </Link>
          </Empty>
        ) : (
          <Loaded query={query} what="the policy">
            {() => null}
          </Loaded>
        )}
      </Screen>
    );
  return (
    <Loaded query={query} what="the policy">
      {(read) => <PolicyPage projectId={projectId} read={read} />}
    </Loaded>
  );
};
