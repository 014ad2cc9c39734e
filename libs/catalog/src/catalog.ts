import { watchChanges } from "@ikg/announcements";
import type { ChangeAnnouncement, LimitBounds } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import type { Budget } from "@ikg/policy-core";
import type { KeyRing } from "@ikg/secrets";
import type { Redis } from "ioredis";
import { openLoadedProjects } from "./loaded-projects.ts";
import type { Log } from "./policies.ts";
import type { CatalogProject, ProjectSnapshot } from "./snapshot.ts";
import { openUnknownProjects } from "./unknown-projects.ts";

/** Stored records the way services want them; at most as old as the last announcement. */
export interface Catalog {
  /** Everything of a project in one state; undefined when there is no such project. */
  snapshot(projectId: string): Promise<ProjectSnapshot | undefined>;
  project(projectId: string): Promise<CatalogProject | undefined>;
  close(): Promise<void>;
}

export interface CatalogParts {
  readonly graph: Graph;
  readonly redis: Redis;
  readonly log: Log;
  /** Opens what the configs service sealed; services that judge no bearers go without. */
  readonly keys?: KeyRing;
  /** Limits of projects that the operator sets; the built-in ones when unset. */
  readonly limits?: LimitBounds;
  /** What the expressions of policies may need; the default of the language when unset. */
  readonly budget?: Budget;
  /** Bytes of memory that the projects may take together; 256,000,000 when unset. */
  readonly memoryBytes?: number;
  /** Called with a change, and after a gap in which some may have been lost, once nothing older is answered here. */
  readonly onChange?: (change: ChangeAnnouncement | "gap") => void;
  /** Called with every lookup of a project: whether it was cached. */
  readonly onLookup?: (hit: boolean) => void;
  readonly now?: () => number;
}

/** Milliseconds: how old a project may get if an announcement was lost, and while none can arrive. */
const maxAge = 30_000;
const maxAgeWithoutRedis = 2_000;

/** Opens the catalog. It subscribes at once and loads each project on first use. */
export const openCatalog = (parts: CatalogParts): Catalog => {
  const { graph, redis, log, onLookup = () => undefined, now = Date.now } = parts;
  const unknown = openUnknownProjects(now);
  const projects = openLoadedProjects({
    ...parts,
    keys: parts.keys,
    onUnknown: (id, at) => unknown.add(id, at),
    now,
  });

  const onChange = (change: ChangeAnnouncement): void => {
    if (change.project_id !== undefined) projects.invalidate(change.project_id);
    unknown.delete(change.project_id ?? change.id);
    unknown.delete(change.id);
    if (change.kind === "project" && change.action === "deleted") graph.release(change.id);
    parts.onChange?.(change);
  };
  const onGap = (): void => {
    projects.invalidateAll();
    unknown.clear();
    parts.onChange?.("gap");
  };
  const watch = watchChanges(redis, log, { onChange, onGap });

  const snapshot = (id: string): Promise<ProjectSnapshot | undefined> => {
    const isConnected = watch.isConnected();
    if (unknown.has(id, isConnected)) {
      onLookup(true);
      return Promise.resolve(undefined);
    }
    const known = projects.fresh(id, isConnected ? maxAge : maxAgeWithoutRedis);
    onLookup(known !== undefined);
    return known === undefined ? projects.load(id) : Promise.resolve(known);
  };

  return { snapshot, project: async (id) => (await snapshot(id))?.project, close: () => watch.close() };
};
