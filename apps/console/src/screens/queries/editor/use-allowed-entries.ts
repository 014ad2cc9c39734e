import { useMemo } from "react";
import { useSchema } from "../../../queries/use-schema.ts";
import type { Allowed } from "../allowed/allowed.ts";
import { type AllowedPaths, allowedPaths } from "../allowed/allowed-paths.ts";
import { allowedUpserts, type OfferedUpserts } from "../allowed/allowed-upserts.ts";
import type { QueryForm } from "../draft/query-form.ts";

interface AllowedEntries {
  readonly paths: AllowedPaths | undefined;
  readonly upserts: OfferedUpserts | undefined;
}

/**
 * What a policy allows in each list of a query; what the query writes it may also return.
 *
 * @param allowed undefined while no policy is chosen.
 */
export const useAllowedEntries = (
  projectId: string,
  allowed: Allowed | undefined,
  { upsert_nodes: nodes, upsert_relationships: relationships }: QueryForm,
): AllowedEntries => {
  const schema = useSchema(projectId).data ?? undefined;
  return useMemo(() => {
    const written = { upsert_nodes: nodes, upsert_relationships: relationships };
    return {
      paths: allowed && allowedPaths(allowed, schema, written),
      upserts: allowed && allowedUpserts(allowed, written),
    };
  }, [allowed, schema, nodes, relationships]);
};
