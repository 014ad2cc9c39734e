import { useQueryClient } from "@tanstack/react-query";
import { displayText } from "../../../text/display-text.ts";
import { RemoveButton } from "../../../components/remove-button.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import type { AdministratorRow } from "./administrator-rows.ts";

interface RevokeRoleProps {
  readonly projectId: string;
  readonly row: AdministratorRow;
}

/** Revokes the role of a binding. */
export const RevokeRole = ({
  projectId,
  row: { binding, who, role, isOverOrganization },
}: RevokeRoleProps) => {
  const admin = useAdmin(projectId);
  const client = useQueryClient();
  const changed = (): Promise<void> => client.invalidateQueries({ queryKey: ["role-bindings"] });
  return (
    <RemoveButton
      kind="role"
      name={role}
      label={`Revoke the role ${role} from ${displayText(who, 60)}`}
      action="Revoke"
      failure="The role was not revoked"
      onRemove={async () => {
        if (binding !== undefined) await admin.roleBindings.delete(binding.id);
      }}
      onRemoved={changed}
      onFailed={changed}
    >
      <p>
        {displayText(who, 80)} loses the role in{" "}
        {isOverOrganization ? "every project of the organization" : "this project"} within two seconds.
      </p>
    </RemoveButton>
  );
};
