import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useDebounced } from "../../../parts/use-debounced.ts";
import { useAdmin } from "../../../session/use-admin.ts";
import { type PolicyDraft, type PolicyFields, fieldsOf, textOf } from "./draft.ts";
import { type PolicyDiagnostic, refusalOf, warningOf } from "./diagnostics.ts";

const settledMs = 250;

/** A name that is not typed yet is not what is wrong. */
const placeholderName = "not-named-yet";

/**
 * What a draft would be refused for, were it active: a draft may be saved as it is, and its author still wants to know.
 */
export const validatedFields = (draft: PolicyDraft): PolicyFields | undefined => {
  const text = textOf(draft);
  if (text === undefined) return undefined;
  const fields = fieldsOf({ ...draft, name: draft.name || placeholderName }, text, true);
  return { ...fields, status: "ACTIVE" };
};

/** What is wrong with a draft, as one types: the answer to the latest text, some hundred milliseconds after it. */
export const useValidation = (projectId: string, draft: PolicyDraft) => {
  const admin = useAdmin(projectId);
  const current = useMemo(() => {
    const fields = validatedFields(draft);
    return fields === undefined ? undefined : JSON.stringify(fields);
  }, [draft]);
  const settled = useDebounced(current, settledMs);
  const query = useQuery({
    queryKey: ["validation", projectId, settled],
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
    queryFn: async ({ signal }): Promise<readonly PolicyDiagnostic[]> => {
      try {
        const fields = JSON.parse(settled ?? "") as PolicyFields; // made above
        return (await admin.policies.validate(fields, {}, { signal })).warnings.map(warningOf);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw error;
        return refusal;
      }
    },
  });
  return {
    diagnostics: query.data,
    error: query.error,
    isChecking: current !== settled || query.isFetching,
    retry: query.refetch,
  };
};

export type PolicyValidation = ReturnType<typeof useValidation>;
