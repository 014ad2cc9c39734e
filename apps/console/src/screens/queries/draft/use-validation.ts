import { useMemo } from "react";
import {
  placeholderName,
  type RecordValidation,
  useCheck,
} from "../../../editors/record-editor/use-check.ts";
import { useAdmin } from "../../../session/use-admin.ts";
import { fieldsOf, type QueryDraft, type QueryFields, textOf } from "./draft.ts";

/** What a draft would be refused for, were it active; undefined while it cannot be checked. */
export const validatedFields = (draft: QueryDraft): QueryFields | undefined => {
  const text = textOf(draft);
  if (text === undefined || draft.policyId === "") return undefined;
  const fields = fieldsOf({ ...draft, name: draft.name || placeholderName }, text, true);
  return { ...fields, status: "ACTIVE" };
};

/** The errors of a draft, while its author types. */
export const useValidation = (projectId: string, draft: QueryDraft): RecordValidation => {
  const admin = useAdmin(projectId);
  const fields = useMemo(() => validatedFields(draft), [draft]);
  return useCheck(["queries", projectId], fields, (validated, signal) =>
    admin.queries.validate(validated, {}, { signal }),
  );
};
