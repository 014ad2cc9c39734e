import type { ApplicationAgentRecord, ApplicationRecord } from "@ikg/client";
import { useMemo } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { useMay } from "../../../session/use-admin.ts";
import { RecordLink } from "../records/record-link.tsx";
import { NewRecord } from "../records/record-list.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { useRecords } from "../records/use-records.ts";
import { agentKind } from "./agent-kind.tsx";
import { applicationKind } from "./application-kind.ts";
import { PermissionList } from "./permission-list.tsx";

interface ApplicationPageProps {
  readonly projectId: string;
  readonly name: string;
}

/** An application with its agents. */
export const ApplicationPage = ({ projectId, name }: ApplicationPageProps) => (
  <RecordPage projectId={projectId} kind={applicationKind} name={name}>
    {(application) => <Agents projectId={projectId} application={application} />}
  </RecordPage>
);

const columns: readonly Column<ApplicationAgentRecord>[] = [
  {
    id: "name",
    header: "Agent",
    cell: ({ name, display_name }) => <RecordLink tab="agents" name={name} displayName={display_name} />,
    sortBy: ({ name }) => name,
  },
  {
    id: "permissions",
    header: "Permissions",
    look: "wide",
    cell: ({ api_permissions: permissions }) => <PermissionList permissions={permissions} />,
  },
];

interface AgentsProps {
  readonly projectId: string;
  readonly application: ApplicationRecord;
}

const Agents = ({ projectId, application: { id } }: AgentsProps) => {
  const mayCreate = useMay()("create_application_agent", projectId);
  const context = useMemo(() => ({ application_id: id }), [id]);
  return (
    <section className="stack" aria-label="Agents">
      <div className="row spread">
        <h2>Agents</h2>
        {mayCreate && <NewRecord projectId={projectId} kind={agentKind} context={context} isQuiet />}
      </div>
      <Loaded query={useRecords<ApplicationAgentRecord>(projectId, "agents")} what="the agents">
        {(agents) => {
          const own = agents.filter(({ application_id: of }) => of === id);
          return own.length === 0 ? (
            <Empty title="No agent yet">
              <p>The application calls as one of its agents, which have the permissions and the keys.</p>
            </Empty>
          ) : (
            <DataTable
              label="Agents of the application"
              columns={columns}
              rows={own}
              keyOf={(agent) => agent.id}
            />
          );
        }}
      </Loaded>
    </section>
  );
};
