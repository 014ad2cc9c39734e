import type { RecordStatus } from "../../../editors/record-editor/record-draft.ts";
import { RollbackDialog } from "../../../editors/record-editor/versions/rollback-dialog.tsx";
import { useVersion } from "../../../editors/record-editor/versions/use-versions.ts";
import { Versions } from "../../../editors/record-editor/versions/versions.tsx";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import { type PolicyNames, readableText } from "../draft/readable.ts";
import type { ReadQuery } from "../draft/use-query-draft.ts";
import { useQueriesChanged } from "../save/use-queries-changed.ts";

interface QueryVersionsProps {
  readonly projectId: string;
  readonly query: ReadQuery;
  readonly names: PolicyNames;
  readonly onRolledBack: (version: number, status: RecordStatus) => void;
}

/** Every version of a query, what differs between two, and the way back. */
export const QueryVersions = ({ projectId, query, names, onRolledBack }: QueryVersionsProps) => {
  const admin = useAdmin(projectId);
  const mayRollBack = useMay()("rollback_knowledge_query", projectId);
  return (
    <Versions
      collection={admin.queries}
      current={query}
      readable={(record) => readableText(record, names)}
      mayRollBack={mayRollBack}
      rollbackDialog={(version, onEnd) => (
        <RollbackQuery
          projectId={projectId}
          query={query}
          names={names}
          version={version}
          onClose={() => onEnd(false)}
          onRolledBack={(status) => {
            onEnd(true);
            onRolledBack(version, status);
          }}
        />
      )}
    />
  );
};

interface RollbackQueryProps extends Omit<QueryVersionsProps, "onRolledBack"> {
  readonly version: number;
  readonly onClose: () => void;
  readonly onRolledBack: (status: RecordStatus) => void;
}

const RollbackQuery = ({ projectId, query, names, version, onClose, onRolledBack }: RollbackQueryProps) => {
  const admin = useAdmin(projectId);
  const changed = useQueriesChanged();
  return (
    <RollbackDialog
      collection={admin.queries}
      current={query}
      version={version}
      former={useVersion(admin.queries, query.record.id, version)}
      readable={(record) => readableText(record, names)}
      onClose={onClose}
      onRolledBack={async ({ status }) => {
        await changed();
        onRolledBack(status);
      }}
      onConflict={changed}
    />
  );
};
