import type { ApplicationAgentRecord, ApplicationRecord } from "@ikg/client";
import { useState } from "react";
import { Empty } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { displayText } from "../../../text/display-text.ts";
import { useMay } from "../../../session/use-admin.ts";
import { KeyTable } from "../keys/key-table.tsx";
import { NewKeyDialog } from "../keys/new-key-dialog.tsx";
import { useCreateKey, useKeys, useRemoveKey } from "../keys/use-keys.ts";
import { RecordLink } from "../records/record-link.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { useRecords } from "../records/use-records.ts";
import { agentKind } from "./agent-kind.tsx";

interface AgentPageProps {
  readonly projectId: string;
  readonly name: string;
}

/** An agent: what it may, and the keys by which it calls. */
export const AgentPage = ({ projectId, name }: AgentPageProps) => (
  <RecordPage projectId={projectId} kind={agentKind} name={name}>
    {(agent) => (
      <>
        <OfApplication projectId={projectId} applicationId={agent.application_id} />
        <AgentKeys projectId={projectId} agent={agent} />
      </>
    )}
  </RecordPage>
);

const OfApplication = ({
  projectId,
  applicationId,
}: {
  readonly projectId: string;
  readonly applicationId: string;
}) => {
  const { data } = useRecords<ApplicationRecord>(projectId, "applications");
  const application = data?.find(({ id }) => id === applicationId);
  if (application === undefined) return null;
  return (
    <p className="row">
      It calls for the application <RecordLink tab="applications" name={application.name} />
    </p>
  );
};

/** As many valid keys of one agent as the API makes. */
const maxKeys = 10;

interface AgentKeysProps {
  readonly projectId: string;
  readonly agent: ApplicationAgentRecord;
}

const AgentKeys = ({ projectId, agent }: AgentKeysProps) => {
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  const create = useCreateKey(projectId, agent.id);
  const remove = useRemoveKey(projectId);
  return (
    <section className="stack" aria-label="Keys">
      <div className="row spread">
        <div>
          <h2>Keys</h2>
          <p className="hint">
            Sent in the header <code>X-SVC-ClientKey</code>. At most {maxKeys} are valid at a time, so that a
            new key can be deployed before the old one is removed.
          </p>
        </div>
        {may("create_application_agent_credential", projectId) && (
          <button type="button" className="button primary" onClick={() => setOpen(true)}>
            <Icon name="plus" />
            New key
          </button>
        )}
      </div>
      <Loaded query={useKeys(projectId)} what="the keys">
        {(all) => {
          const keys = all.filter(({ application_agent_id: of }) => of === agent.id);
          return keys.length === 0 ? (
            <Empty title="No key yet">
              <p>Without a key the agent cannot call.</p>
            </Empty>
          ) : (
            <KeyTable
              projectId={projectId}
              noun="key"
              label="Keys of the agent"
              keys={keys}
              remove={may("delete_application_agent_credential", projectId) ? remove : undefined}
              removal="Calls with it are refused within two seconds."
            />
          );
        }}
      </Loaded>
      {isOpen && (
        <NewKeyDialog
          noun="key"
          owner={displayText(agent.display_name, 60)}
          create={create}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
};
