import type { Collection, IkgAdmin } from "@ikg/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ifFound } from "../../../session/if-found.ts";
import { useAdmin } from "../../../session/use-admin.ts";

/** What every record with a name has. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly description?: string | undefined;
  readonly create_time: string;
  readonly created_by: string;
  readonly update_time: string;
  readonly updated_by: string;
}

export type CollectionName =
  | "applications"
  | "agents"
  | "introspects"
  | "mcpServers"
  | "resolvers"
  | "trustScoreProfiles"
  | "auditSignings";

type Body = Readonly<Record<string, unknown>>;

/** A collection whose bodies come from forms: the API validates them. */
export const collectionOf = <Row extends NamedRecord>(
  admin: IkgAdmin,
  name: CollectionName,
): Collection<Row, Body, Body> => admin[name] as unknown as Collection<Row, Body, Body>;

export const recordsKey = (projectId: string, name: string) => ["records", projectId, name] as const;

/** Every record of a collection, in the order of creation. */
export const useRecords = <Row extends NamedRecord>(
  projectId: string,
  name: CollectionName,
  {
    refetchInterval,
  }: { readonly refetchInterval?: (rows: readonly Row[] | undefined) => number | false } = {},
) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: recordsKey(projectId, name),
    queryFn: ({ signal }) => collectionOf<Row>(admin, name).list({ signal }),
    refetchInterval: (query) => refetchInterval?.(query.state.data) ?? false,
  });
};

export interface ReadRecord<Row> {
  readonly record: Row;
  readonly etag: string;
}

/** A record by its name with its state; null where there is none. */
export const useRecord = <Row extends NamedRecord>(
  projectId: string,
  name: CollectionName,
  record: string,
  { refetchInterval }: { readonly refetchInterval?: (row: Row | undefined) => number | false } = {},
) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: [...recordsKey(projectId, name), record],
    queryFn: async ({ signal }): Promise<ReadRecord<Row> | null> =>
      (await ifFound(collectionOf<Row>(admin, name).read(record, { signal }))) ?? null,
    refetchInterval: (query) => refetchInterval?.(query.state.data?.record) ?? false,
  });
};

/** Reads again whatever shows records of the project: records refer to each other, and some are removed with others. */
export const useRecordsChanged = (projectId: string): (() => Promise<void>) => {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["records", projectId] });
};
