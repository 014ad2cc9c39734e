import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmRemoval } from "../../../parts/confirm-removal.tsx";
import { displayText } from "../../../parts/display-text.ts";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import type { AdministratorRow } from "./administrator-rows.ts";

interface TakeRoleProps {
  readonly projectId: string;
  readonly row: AdministratorRow;
}

/** Takes a role that a binding gives, after its name was typed. */
export const TakeRole = ({ projectId, row: { binding, who, role, isOverOrganization } }: TakeRoleProps) => {
  const [isConfirming, setConfirming] = useState(false);
  const admin = useAdmin(projectId);
  const client = useQueryClient();
  const take = useMutation({
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
        aria-label={`Take the role ${role} of ${displayText(who, 60)}`}
        disabled={take.isPending}
        onClick={() => setConfirming(true)}
      >
        Take
      </button>
      {isConfirming && (
        <ConfirmRemoval
          isOpen
          kind="role"
          name={role}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            take.mutate();
          }}
        >
          <p>
            {displayText(who, 80)} loses it in{" "}
            {isOverOrganization ? "every project of the organization" : "this project"} within two seconds.
          </p>
        </ConfirmRemoval>
      )}
      {take.isError && <ErrorNote error={take.error} title="Not taken" />}
    </>
  );
};
