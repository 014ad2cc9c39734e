import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ConfirmRemoval } from "../../../parts/confirm-removal.tsx";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { useAdmin, useMay } from "../../../session/use-admin.ts";
import type { PolicyEditing, ReadPolicy } from "../draft/use-policy-draft.ts";
import { deletionOf, type ImpactInputs } from "../impact/impact-of.ts";
import { ImpactView } from "../impact/impact-view.tsx";
import { useImpact } from "../impact/use-impact.ts";
import { isConflict, usePoliciesChanged } from "./use-save.ts";

interface RemovePolicyProps {
  readonly projectId: string;
  readonly policy: ReadPolicy;
  readonly editing: PolicyEditing;
  readonly inputs: ImpactInputs;
}

/** Removes a policy in the state that is shown, after its name was typed. */
export const RemovePolicy = ({ projectId, policy, editing, inputs }: RemovePolicyProps) => {
  const [isAsked, setAsked] = useState(false);
  const { name, id } = policy.record;
  const admin = useAdmin(projectId);
  const changed = usePoliciesChanged();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => admin.policies.delete(id, { ifMatch: policy.etag }),
    onSuccess: async () => {
      editing.discard();
      await navigate({ to: "/policies" });
      await changed();
    },
    onError: async (error) => {
      if (isConflict(error)) await changed();
    },
  });
  if (!useMay()("delete_authorization_policy", projectId)) return null;
  return (
    <>
      <button
        type="button"
        className="button danger"
        disabled={remove.isPending}
        onClick={() => setAsked(true)}
      >
        <Icon name="remove" />
        Remove
      </button>
      {isAsked && (
        <ConfirmRemoval
          isOpen
          kind="policy"
          name={name}
          onClose={() => setAsked(false)}
          onConfirm={() => {
            setAsked(false);
            remove.mutate();
          }}
        >
          <Removed projectId={projectId} name={name} inputs={inputs} />
        </ConfirmRemoval>
      )}
      {remove.isError && <ErrorNote error={remove.error} title="Not removed" />}
    </>
  );
};

const Removed = ({
  projectId,
  name,
  inputs,
}: Pick<RemovePolicyProps, "projectId" | "inputs"> & { readonly name: string }) => (
  <div className="stack tight">
    <p>It goes with all of its versions. What it alone grants is granted no more:</p>
    <ImpactView query={useImpact(projectId, deletionOf(name), inputs)} params={inputs.params} />
  </div>
);
