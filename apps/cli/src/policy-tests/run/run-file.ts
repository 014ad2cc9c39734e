import { CommandFault } from "../../command-environment.ts";
import type { ReadWorld, World } from "../file/world.ts";
import { type LoadedWorld, type Loader, loadWorld, WorldRefused } from "../suite/load.ts";
import type { FileResult } from "./result.ts";
import { runWorld } from "./run-world.ts";

/** The projects in which worlds are tested. */
export interface ProjectPool {
  acquire(world: World): Promise<LoadedWorld>;
  release(world: World, loaded: LoadedWorld): Promise<void>;
}

/** A new project for every world, removed afterwards. */
export const freshProjects = (loader: Loader): ProjectPool => ({
  acquire: (world) => loadWorld(loader, world),
  release: (_, { project }) => loader.projects.remove(project),
});

const empty = { tests: [], faults: [], warnings: [], observations: [], world: undefined } as const;

/** The dependencies of running files. */
export interface RunParts {
  readonly loader: Loader;
  readonly pool: ProjectPool;
  /** Whether all responses are explained. */
  readonly explainsAll: boolean;
}

type Open = () => Promise<RunParts>;

const runIn = async (open: Open, world: World): Promise<Pick<FileResult, "tests" | "observations">> => {
  const { loader, pool, explainsAll } = await open();
  const loaded = await pool.acquire(world);
  try {
    return await runWorld(loader, world, loaded, explainsAll);
  } finally {
    await pool.release(world, loaded);
  }
};

/**
 * Loads a test file into a project, runs its tests, and releases the project.
 *
 * @param open called if there are tests to run.
 */
export const runFile = async (
  open: Open,
  shown: string,
  { world, faults }: ReadWorld,
): Promise<FileResult> => {
  const started = performance.now();
  const result = (found: Partial<FileResult>): FileResult => ({
    ...empty,
    file: shown,
    name: world?.name ?? shown,
    milliseconds: Math.round(performance.now() - started),
    ...found,
  });
  if (world === undefined) return result({ faults });
  const { warnings } = world;
  try {
    return result({ ...(await runIn(open, world)), warnings, world });
  } catch (error) {
    if (error instanceof WorldRefused) return result({ faults: error.faults.list, warnings });
    if (error instanceof CommandFault) return result({ problem: error.message, warnings });
    throw error;
  }
};
