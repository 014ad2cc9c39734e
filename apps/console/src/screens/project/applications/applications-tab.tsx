import type {
  ApplicationAgentCredentialRecord,
  ApplicationAgentRecord,
  ApplicationRecord,
} from "@ikg/client";
import { useMemo } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { useMay } from "../../../session/use-admin.ts";
import { keysSummary } from "../keys/key-state.ts";
import { useKeys } from "../keys/use-keys.ts";
import { ValidKeys } from "../keys/valid-keys.tsx";
import { NewRecord } from "../records/record-list.tsx";
import { RecordLink } from "../records/record-link.tsx";
import { useRecords } from "../records/use-records.ts";
import { applicationKind } from "./application-kind.ts";
import { PermissionList } from "./permission-list.tsx";

/** An agent with its application and keys; an application without an agent has a row, too. */
interface Row {
  readonly application: ApplicationRecord;
  readonly agent: ApplicationAgentRecord | undefined;
  readonly keys: readonly ApplicationAgentCredentialRecord[];
}

const rowsOf = (
  applications: readonly ApplicationRecord[],
  agents: readonly ApplicationAgentRecord[],
  keys: readonly ApplicationAgentCredentialRecord[],
): readonly Row[] =>
  applications.flatMap((application): readonly Row[] => {
    const own = agents.filter(({ application_id: of }) => of === application.id);
    if (own.length === 0) return [{ application, agent: undefined, keys: [] }];
    return own.map((agent) => ({
      application,
      agent,
      keys: keys.filter(({ application_agent_id: of }) => of === agent.id),
    }));
  });

const columns: readonly Column<Row>[] = [
  {
    id: "application",
    header: "Application",
    cell: ({ application: { name, display_name } }) => (
      <RecordLink tab="applications" name={name} displayName={display_name} />
    ),
    sortBy: ({ application }) => application.name,
  },
  {
    id: "agent",
    header: "Agent",
    cell: ({ agent }) =>
      agent === undefined ? (
        <span className="hint">no agent yet</span>
      ) : (
        <RecordLink tab="agents" name={agent.name} displayName={agent.display_name} />
      ),
    sortBy: ({ agent }) => agent?.name ?? "",
  },
  {
    id: "permissions",
    header: "Permissions",
    look: "wide",
    cell: ({ agent }) => <PermissionList permissions={agent?.api_permissions ?? []} />,
  },
  {
    id: "keys",
    header: "Keys",
    cell: ({ agent, keys }) => (agent === undefined ? null : <ValidKeys keys={keys} />),
    sortBy: ({ keys }) => keysSummary(keys, Date.now()).valid,
  },
];

/** Which applications may call, as which agents, with what, and until when. */
export const ApplicationsTab = ({ projectId }: { readonly projectId: string }) => {
  const applications = useRecords<ApplicationRecord>(projectId, "applications");
  const agents = useRecords<ApplicationAgentRecord>(projectId, "agents");
  const keys = useKeys(projectId);
  const mayCreate = useMay()("create_application", projectId);
  return (
    <div className="stack">
      <div className="row spread">
        <p className="hint">
          An application calls as one of its agents: the agent has the permissions, and its keys identify the
          caller.
        </p>
        {mayCreate && <NewRecord projectId={projectId} kind={applicationKind} />}
      </div>
      <Loaded query={applications} what="the applications">
        {(found) => (
          <Loaded query={agents} what="the agents">
            {(own) => (
              <Loaded query={keys} what="the keys">
                {(all) => (
                  <ApplicationTable applications={found} agents={own} keys={all} mayCreate={mayCreate} />
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </div>
  );
};

interface ApplicationTableProps {
  readonly applications: readonly ApplicationRecord[];
  readonly agents: readonly ApplicationAgentRecord[];
  readonly keys: readonly ApplicationAgentCredentialRecord[];
  readonly mayCreate: boolean;
}

const ApplicationTable = ({ applications, agents, keys, mayCreate }: ApplicationTableProps) => {
  const rows = useMemo(() => rowsOf(applications, agents, keys), [applications, agents, keys]);
  if (rows.length === 0)
    return (
      <Empty title="No application may call yet">
        <p>
          {mayCreate
            ? "Create an application, add an agent with its permissions, and create a key."
            : "An editor of the project can create applications and their keys."}
        </p>
      </Empty>
    );
  return (
    <DataTable
      label="Applications"
      columns={columns}
      rows={rows}
      keyOf={({ application, agent }) => `${application.id} ${agent?.id ?? ""}`}
    />
  );
};
