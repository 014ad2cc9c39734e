import type { AuthorizationPolicyRecord } from "@ikg/client";
import { useQueryClient } from "@tanstack/react-query";
import { type RecordSaving, useSaveRecord } from "../../../editors/record-editor/use-save-record.ts";
import { writeRecord } from "../../../editors/record-editor/write-record.ts";
import { useAdmin } from "../../../session/use-admin.ts";
import { fieldsOf, textOf } from "../draft/draft.ts";
import type { PolicyEditing } from "../draft/use-policy-draft.ts";

/** Reads again what shows policies. @returns when the policies are read; a simulation takes longer */
export const usePoliciesChanged = (): (() => Promise<void>) => {
  const client = useQueryClient();
  return async () => {
    void client.invalidateQueries({ queryKey: ["impact"] });
    await Promise.all(
      ["policies", "policy", "versions"].map((each) => client.invalidateQueries({ queryKey: [each] })),
    );
  };
};

interface SaveOptions {
  readonly onSaved: (record: AuthorizationPolicyRecord) => void;
  readonly onConflict: () => void;
}

/** Saves the draft of a policy. */
export const useSave = (projectId: string, editing: PolicyEditing, options: SaveOptions): RecordSaving => {
  const admin = useAdmin(projectId);
  const refresh = usePoliciesChanged();
  const { draft, base } = editing;
  return useSaveRecord({
    ...options,
    editing,
    refresh,
    write: async () => {
      const text = textOf(draft);
      if (text === undefined) throw new Error("A field does not contain valid JSON.");
      const created = fieldsOf(draft, text, base === undefined);
      const { name: _name, ...updated } = created;
      return writeRecord(admin.policies, base, { created, updated });
    },
  });
};
