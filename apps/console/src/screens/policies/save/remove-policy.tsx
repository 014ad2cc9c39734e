import { useNavigate } from "@tanstack/react-router";
import { isConflict } from "../../../editors/record-editor/use-save-record.ts";
import { RemoveButton } from "../../../components/remove-button.tsx";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import type { PolicyEditing, ReadPolicy } from "../draft/use-policy-draft.ts";
import { deletionOf, type ImpactInputs } from "../impact/impact-of.ts";
import { ImpactView } from "../impact/impact-view.tsx";
import { useImpact } from "../impact/use-impact.ts";
import { usePoliciesChanged } from "./use-save.ts";

interface RemovePolicyProps {
  readonly projectId: string;
  readonly policy: ReadPolicy;
  readonly editing: PolicyEditing;
  readonly inputs: ImpactInputs;
}

/** Removes a policy, after showing who loses access. */
export const RemovePolicy = ({ projectId, policy, editing, inputs }: RemovePolicyProps) => {
  const { name, id } = policy.record;
  const admin = useAdmin(projectId);
  const changed = usePoliciesChanged();
  const navigate = useNavigate();
  if (!useMay()("delete_authorization_policy", projectId)) return null;
  return (
    <RemoveButton
      kind="policy"
      name={name}
      onRemove={() => admin.policies.delete(id, { ifMatch: policy.etag })}
      onRemoved={async () => {
        editing.discard();
        await navigate({ to: "/policies" });
        await changed();
      }}
      onFailed={async (error) => {
        if (isConflict(error)) await changed();
      }}
    >
      <RemovalImpact projectId={projectId} name={name} inputs={inputs} />
    </RemoveButton>
  );
};

const RemovalImpact = ({
  projectId,
  name,
  inputs,
}: Pick<RemovePolicyProps, "projectId" | "inputs"> & { readonly name: string }) => (
  <div className="stack tight">
    <p>All of its versions are removed. Access that only this policy grants is lost:</p>
    <ImpactView query={useImpact(projectId, deletionOf(name), inputs)} params={inputs.params} />
  </div>
);
