import { randomBytes, randomUUID } from "node:crypto";
import {
  defaultOrganizationNames,
  effectiveLimits,
  type Gid,
  newGid,
  type ProjectLimits,
} from "@ikg/contracts";
import { connectGraph, type Graph } from "@ikg/graph";
import { openNames } from "@ikg/graph-names";
import { newProjectKey } from "@ikg/physical";
import { graphSettings, type Service, startService } from "@ikg/service";
import { type ImportParts, importParts } from "../src/imports/imports.ts";
import { openExportMetrics } from "../src/export/metrics.ts";
import type { UploadSettings } from "../src/imports/upload-bounds.ts";
import { startImportWorkers } from "../src/imports/worker.ts";
import type { Project } from "../src/projects/projects.ts";
import { exportRoute } from "../src/routes/export.ts";
import { importRoutes } from "../src/routes/imports.ts";
import { testSettings } from "./environment.ts";
import { clearProject, type ImportProject, importProject } from "./import-project.ts";

export interface ImportsUnderTest {
  readonly graph: Graph;
  readonly parts: ImportParts;
  readonly service: Service;
  readonly url: string;
  /** @param organizationId by default that of an organization with this project alone. */
  project(limits?: Partial<ProjectLimits>, organizationId?: Gid): ImportProject;
  /** Transactions that had to be repeated so far. */
  repeats(): Promise<number>;
  close(): Promise<void>;
}

export const uploadSettings: UploadSettings = { uploads: 16, longestMs: 600_000, ratio: 100 };

const newProject = (limits: Partial<ProjectLimits>, organizationId: Gid): Project => ({
  id: newGid("project"),
  pk: newProjectKey(randomBytes(8)),
  ikgStatus: "ACTIVE",
  limits: effectiveLimits(limits),
  organizationId,
  organizationNames: defaultOrganizationNames,
});

/** Starts the workers, with a queue of their own. */
const startWorkers = (parts: ImportParts, concurrency: number, redisUrl: string, service: Service) =>
  startImportWorkers(
    parts,
    {
      redisUrl,
      concurrency,
      takeoverMs: 2_000,
      reconcileMs: 500,
      turnMs: 300,
      queue: `imports-${randomUUID()}`,
    },
    service,
  );

/** Starts the import part of the service in this process. */
export const startImports = async (
  concurrency = 2,
  uploads: Partial<UploadSettings> = {},
): Promise<ImportsUnderTest> => {
  const settings = testSettings();
  const service = await startService("capture", settings);
  const graph = connectGraph(graphSettings(settings));
  await graph.prepare();
  const known = new Map<string, Project>();
  const parts = importParts({
    graph,
    projects: { project: async (id) => known.get(id) },
    now: () => new Date(),
    names: openNames(graph, service.log),
    onEnded: async () => undefined,
  });
  const workers = startWorkers(parts, concurrency, settings.REDIS_URL, service);
  service.mount(
    ...importRoutes(parts, { ...uploadSettings, ...uploads }, ({ projectId }) => workers.enqueue(projectId)),
    exportRoute({
      graph,
      projects: parts.projects,
      metrics: openExportMetrics(service.metrics),
      slots: 8,
    }),
  );
  const { port } = await service.listen();
  const url = `http://127.0.0.1:${port}`;
  return {
    graph,
    parts,
    service,
    url,
    project: (limits = {}, organizationId = newGid("organization")) => {
      const project = newProject(limits, organizationId);
      known.set(project.id, project);
      return importProject(project, graph, () => url);
    },
    repeats: async () => {
      const metric = service.metrics.registry.getSingleMetric("ikg_import_repeated_transactions_total");
      const { values } = (await metric?.get()) ?? { values: [] };
      return values[0]?.value ?? 0;
    },
    close: async () => {
      await workers.close();
      for (const project of known.values()) await clearProject(graph, project);
      await service.close();
      await graph.close();
    },
  };
};
