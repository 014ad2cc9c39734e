import type { AuthorizationPolicyRecord, IkgAdmin } from "@ikg/client";
import { IkgError } from "@ikg/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useAdmin } from "../../../session/use-admin.ts";
import { fieldsOf, textOf } from "../draft/draft.ts";
import type { PolicyEditing } from "../draft/use-policy-draft.ts";

/** Reads again what shows policies. */
export const usePoliciesChanged = (): (() => Promise<void>) => {
  const client = useQueryClient();
  return async () => {
    await Promise.all(
      ["policies", "policy", "versions", "impact"].map((each) =>
        client.invalidateQueries({ queryKey: [each] }),
      ),
    );
  };
};

/** Somebody else has changed the policy since it was read, or has made one of this name. */
export const isConflict = (error: unknown): boolean =>
  error instanceof IkgError && error.code === "precondition_failed";

const send = (admin: IkgAdmin, { draft, base }: PolicyEditing): Promise<AuthorizationPolicyRecord> => {
  const text = textOf(draft);
  if (text === undefined) throw new Error("a field of the policy is no JSON");
  const fields = fieldsOf(draft, text, base === undefined);
  if (base === undefined) return admin.policies.create(fields);
  const { name: _, ...update } = fields;
  return admin.policies.update(base.record.id, () => update, { ifMatch: base.etag });
};

interface SaveOptions {
  readonly onSaved: (record: AuthorizationPolicyRecord) => void;
  readonly onConflict: () => void;
}

/** Saves the draft, only over the state that it was made from. */
export const useSave = (projectId: string, editing: PolicyEditing, { onSaved, onConflict }: SaveOptions) => {
  const admin = useAdmin(projectId);
  const changed = usePoliciesChanged();
  return useMutation({
    mutationFn: () => send(admin, editing),
    onSuccess: async (record) => {
      editing.discard();
      await changed();
      onSaved(record);
    },
    onError: async (error) => {
      if (!isConflict(error)) return;
      await changed();
      onConflict();
    },
  });
};
