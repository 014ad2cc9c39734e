import type { Validation } from "@ikg/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useDebounced } from "../../components/use-debounced.ts";
import { type RecordDiagnostic, refusalOf, warningOf } from "./diagnostics.ts";

const settledMs = 250;

/** A name that is still empty is not reported as an error. */
export const placeholderName = "not-named-yet";

export interface RecordValidation {
  /** Undefined: not checked yet. */
  readonly diagnostics: readonly RecordDiagnostic[] | undefined;
  readonly error: unknown;
  readonly isChecking: boolean;
  readonly retry: () => unknown;
}

/**
 * What is wrong with fields, as one types: the answer to the latest ones, some hundred milliseconds after them.
 *
 * @param key names the collection and the project.
 * @param fields memoized; undefined: they cannot be checked as they are.
 */
export const useCheck = <Fields>(
  key: readonly string[],
  fields: Fields | undefined,
  validate: (fields: Fields, signal: AbortSignal) => Promise<Validation>,
): RecordValidation => {
  const current = useMemo(() => (fields === undefined ? undefined : JSON.stringify(fields)), [fields]);
  const settled = useDebounced(current, settledMs);
  const query = useQuery({
    queryKey: ["validation", ...key, settled],
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
    queryFn: async ({ signal }): Promise<readonly RecordDiagnostic[]> => {
      try {
        const parsed = JSON.parse(settled ?? "") as Fields; // made of some
        return (await validate(parsed, signal)).warnings.map(warningOf);
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
