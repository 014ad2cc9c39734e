import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmRemoval } from "../../../parts/confirm-removal.tsx";
import { displayText } from "../../../parts/display-text.ts";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import type { AdministratorRow } from "./administrator-rows.ts";

interface RevokeRoleProps {
  readonly projectId: string;
  readonly row: AdministratorRow;
}

/** Revokes the role of a binding, after the administrator has typed its name. */
export const RevokeRole = ({
  projectId,
  row: { binding, who, role, isOverOrganization },
}: RevokeRoleProps) => {
  const [isConfirming, setConfirming] = useState(false);
  const admin = useAdmin(projectId);
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: async () => {
      if (binding !== undefined) await admin.roleBindings.delete(binding.id);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["role-bindings"] }),
  });
  return (
    <>
      <button
        type="button"
        className="button small"
        aria-label={`Revoke the role ${role} from ${displayText(who, 60)}`}
        disabled={revoke.isPending}
        onClick={() => setConfirming(true)}
      >
        Revoke
      </button>
      {isConfirming && (
        <ConfirmRemoval
          isOpen
          kind="role"
          action="Revoke"
          name={role}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            revoke.mutate();
          }}
        >
          <p>
            {displayText(who, 80)} loses the role in{" "}
            {isOverOrganization ? "every project of the organization" : "this project"} within two seconds.
          </p>
        </ConfirmRemoval>
      )}
      {revoke.isError && <ErrorNote error={revoke.error} title="The role was not revoked" />}
    </>
  );
};
