import type { AuthorizationPolicyRecord, IkgAdmin } from "@ikg/client";
import { IkgError } from "@ikg/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useAdmin } from "../../../session/use-admin.ts";
import { fieldsOf, textOf } from "../draft/draft.ts";
import type { PolicyEditing, ReadPolicy } from "../draft/use-policy-draft.ts";

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

/** The policy was changed since it was read, or there is one of this name now. */
export const isConflict = (error: unknown): boolean =>
  error instanceof IkgError && error.code === "precondition_failed";

/** @returns the policy as it is then */
const send = async (admin: IkgAdmin, { draft, base }: PolicyEditing): Promise<ReadPolicy> => {
  const text = textOf(draft);
  if (text === undefined) throw new Error("a field of the policy is no JSON");
  const fields = fieldsOf(draft, text, base === undefined);
  if (base === undefined) {
    const { id } = await admin.policies.create(fields);
    return admin.policies.read(id);
  }
  const { name: _name, ...update } = fields;
  const { id } = await admin.policies.update(base.record.id, () => update, { ifMatch: base.etag });
  return admin.policies.read(id);
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
    onSuccess: (read) => {
      editing.settle(read);
      onSaved(read.record);
      void changed();
    },
    onError: async (error) => {
      if (!isConflict(error)) return;
      await changed();
      onConflict();
    },
  });
};
