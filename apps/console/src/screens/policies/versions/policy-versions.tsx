import type { RecordStatus } from "../../../editors/record-editor/record-draft.ts";
import { RollbackDialog } from "../../../editors/record-editor/versions/rollback-dialog.tsx";
import { useVersion } from "../../../editors/record-editor/versions/use-versions.ts";
import { Versions } from "../../../editors/record-editor/versions/versions.tsx";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import { draftOf } from "../draft/draft.ts";
import { readableText } from "../draft/readable.ts";
import type { ReadPolicy } from "../draft/use-policy-draft.ts";
import { type ImpactInputs, putOf } from "../impact/impact-of.ts";
import { ImpactView } from "../impact/impact-view.tsx";
import { useImpact } from "../impact/use-impact.ts";
import { usePoliciesChanged } from "../save/use-save.ts";

interface PolicyVersionsProps {
  readonly projectId: string;
  readonly policy: ReadPolicy;
  readonly inputs: ImpactInputs;
  readonly onRolledBack: (version: number, status: RecordStatus) => void;
}

/** Every version of a policy, what differs between two, and the way back. */
export const PolicyVersions = (props: PolicyVersionsProps) => {
  const { projectId, policy, onRolledBack } = props;
  const admin = useAdmin(projectId);
  const mayRollBack = useMay()("rollback_authorization_policy", projectId);
  return (
    <Versions
      collection={admin.policies}
      current={policy}
      readable={readableText}
      mayRollBack={mayRollBack}
      rollbackDialog={(version, onEnd) => (
        <RollbackPolicy
          {...props}
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

interface RollbackPolicyProps extends Omit<PolicyVersionsProps, "onRolledBack"> {
  readonly version: number;
  readonly onClose: () => void;
  readonly onRolledBack: (status: RecordStatus) => void;
}

const RollbackPolicy = ({
  projectId,
  policy,
  inputs,
  version,
  onClose,
  onRolledBack,
}: RollbackPolicyProps) => {
  const admin = useAdmin(projectId);
  const changed = usePoliciesChanged();
  const former = useVersion(admin.policies, policy.record.id, version);
  const impact = useImpact(projectId, former.data && putOf(draftOf(former.data)), inputs);
  return (
    <RollbackDialog
      collection={admin.policies}
      current={policy}
      version={version}
      former={former}
      readable={readableText}
      waitingFor={impact.isPending && impact.isFetching ? "Calculating the impact…" : undefined}
      onClose={onClose}
      onRolledBack={async ({ status }) => {
        await changed();
        onRolledBack(status);
      }}
      onConflict={changed}
    >
      <section className="stack tight" aria-label="Impact">
        <h3>Impact</h3>
        <ImpactView query={impact} params={inputs.params} />
      </section>
    </RollbackDialog>
  );
};
