import {
  aliasMapping,
  type DbConnection,
  defaultOrganizationNames,
  effectiveLimits,
  globalLocation,
  type Gid,
  type IkgStatus,
  type LimitBounds,
  type OrganizationNameLimits,
  type ProjectLimits,
  storedLimits,
} from "@ikg/contracts";
import type { CompositeGraph, Connection, Row } from "@ikg/graph";
import { type ProjectKey, projectKey } from "@ikg/physical";
import type { Budget, Composite } from "@ikg/policy-core";
import { type KeyRing, open } from "@ikg/secrets";
import type { Log } from "./policies.ts";

export interface CatalogProject {
  readonly id: Gid;
  readonly organizationId: Gid;
  /** Empty for a project with a database of its own. */
  readonly pk: ProjectKey;
  readonly ikgStatus: IkgStatus;
  /** Its own database; undefined in the shared one, and when the stored connection cannot be decrypted: nothing is sent then. */
  readonly connection: Connection | undefined;
  /** Locations of a project with a composite database. */
  readonly composite: (Composite & CompositeGraph) | undefined;
  /** Limits in force; docs/limits.md. */
  readonly limits: ProjectLimits;
  /** Names that all projects of the organization may have in the shared database. */
  readonly organizationNames: OrganizationNameLimits;
}

/** Options with which the stored rows of projects are read. */
export interface ProjectReadOptions {
  readonly log: Log;
  /** Without it what is sealed is left out. */
  readonly keys: KeyRing | undefined;
  /** The operator's; the built-in ones when unset. */
  readonly limits?: LimitBounds | undefined;
  /** The default of the policy language when unset. */
  readonly budget?: Budget | undefined;
}

const compositeOf = (stored: DbConnection): CatalogProject["composite"] => {
  const { composite_db_name: database, alias_mapping: mapping = "", constituents = {} } = stored;
  const locations = aliasMapping(mapping);
  if (database === undefined || locations === undefined) return undefined;
  const connections = new Map<string, Connection>(Object.entries(constituents));
  const global = locations.get(globalLocation);
  // Without a record of its own it is the project's own database.
  if (global !== undefined && connections.size > 0) connections.set(global, stored);
  return { database, constituents: locations, connections };
};

/** The part of a project's record that configs keeps as JSON. */
interface ProjectData {
  readonly db_connection?: string;
  readonly limits?: unknown;
}

/** What is sealed in a project; undefined when there is nothing, or it does not open. */
const openedConnection = (
  row: Row,
  { db_connection: sealed }: ProjectData,
  { keys, log }: ProjectReadOptions,
): DbConnection | undefined => {
  if (sealed === undefined || keys === undefined) return undefined;
  try {
    const place = { record: String(row["id"]), field: "db_connection" };
    return JSON.parse(open(keys, place, sealed)) as DbConnection; // sealed by configs, from the contract's schema
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    log.warn("the connection of a project's own database cannot be opened", { project: row["id"], reason });
    return undefined;
  }
};

/** The project of a stored row. */
export const projectOf = (row: Row, options: ProjectReadOptions): CatalogProject => {
  const pk = row["pk"];
  const data = JSON.parse(String(row["data"])) as ProjectData; // written by configs
  const stored = openedConnection(row, data, options);
  return {
    id: String(row["id"]) as Gid, // ids of records are gids
    organizationId: String(row["organization_id"]) as Gid,
    pk: projectKey(typeof pk === "string" ? pk : ""),
    ikgStatus: row["ikg_status"] as IkgStatus, // written by the configs service alone
    connection: stored,
    composite: stored && compositeOf(stored),
    limits: effectiveLimits(storedLimits(data.limits), options.limits),
    organizationNames: options.limits?.organizationNames ?? defaultOrganizationNames,
  };
};
