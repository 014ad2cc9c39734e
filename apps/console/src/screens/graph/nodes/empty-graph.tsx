import { Link } from "@tanstack/react-router";
import { useCurrentProject } from "../../../app/current-project.ts";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Empty } from "../../../components/empty.tsx";
import { baseUrl } from "../../../session/base-url.ts";
import { useMay } from "../../../session/use-admin.ts";
import { firstNodesCurl } from "../copy/first-nodes.ts";

/** A project without nodes, and how it gets some. */
export const EmptyGraph = () => {
  const text = firstNodesCurl(baseUrl());
  const mayImport = useMay()("create_application_agent_credential", useCurrentProject()?.id);
  return (
    <Empty title="This graph has no nodes yet">
      {mayImport && (
        <p>
          <Link to="/import">Import a file</Link>, or have an application write them.
        </p>
      )}
      <p>
        Applications write nodes and relationships with a key that has the permission <code>Capture</code>.
        Two nodes and what relates them:
      </p>
      <pre className="code" tabIndex={0} aria-label="First nodes as commands of a shell">
        {text}
      </pre>
      <CopyButton label="Copy" text={text} />
    </Empty>
  );
};
