import { useMemo } from "react";
import {
  placeholderName,
  type RecordValidation,
  useCheck,
} from "../../../editors/record-editor/use-check.ts";
import { useAdmin } from "../../../session/use-admin.ts";
import { fieldsOf, type PolicyDraft, type PolicyFields, textOf } from "./draft.ts";

/**
 * What a draft would be refused for, were it active: a draft may be saved as it is, and its author still wants to know.
 */
export const validatedFields = (draft: PolicyDraft): PolicyFields | undefined => {
  const text = textOf(draft);
  if (text === undefined) return undefined;
  const fields = fieldsOf({ ...draft, name: draft.name || placeholderName }, text, true);
  return { ...fields, status: "ACTIVE" };
};

/** The errors of a draft, while its author types. */
export const useValidation = (projectId: string, draft: PolicyDraft): RecordValidation => {
  const admin = useAdmin(projectId);
  const fields = useMemo(() => validatedFields(draft), [draft]);
  return useCheck(["policies", projectId], fields, (validated, signal) =>
    admin.policies.validate(validated, {}, { signal }),
  );
};
