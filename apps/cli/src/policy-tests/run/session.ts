import { shownPath } from "../file/files.ts";
import { readWorld } from "../file/read-world.ts";
import type { ReadWorld } from "../file/world.ts";
import { openIssuer } from "../suite/issuer.ts";
import type { Loader } from "../suite/load.ts";
import { openResolverServer } from "../suite/resolver-server.ts";
import { openSuite, type SuiteAddress } from "../suite/suite.ts";
import { openTestProjects } from "../suite/test-projects.ts";
import { inParallel } from "./in-parallel.ts";
import type { FileResult } from "./result.ts";
import { type ProjectPool, runFile, type RunParts } from "./run-file.ts";

export interface SessionOptions {
  readonly cwd: string;
  /** Maximum number of concurrent files. */
  readonly jobs: number;
  /** Address of this machine for the simulated resolvers. */
  readonly resolverHost: string;
  readonly openPool: (loader: Loader) => ProjectPool;
  /** Whether all responses are explained. */
  readonly explainsAll: boolean;
}

/** A connection to a suite, for one or several runs. */
export interface Session {
  /** Runs files concurrently; results are in the order of the files. After an abort, no further file is started. */
  run(files: readonly string[], signal: AbortSignal): Promise<readonly FileResult[]>;
  /** All files and folders on which a test file depends. */
  dependenciesOf(file: string): readonly string[];
  /** Marks its projects as still in use. */
  touch(): Promise<void>;
  /** Removes every project of this session. */
  close(): Promise<void>;
}

const open = async (
  address: () => SuiteAddress,
  { resolverHost, openPool, explainsAll }: SessionOptions,
): Promise<RunParts> => {
  const { organization, ...where } = address();
  const suite = openSuite(where);
  const projects = await openTestProjects(suite, organization);
  await projects.removeLeftovers();
  const [issuer, resolvers] = await Promise.all([openIssuer(), openResolverServer(resolverHost)]);
  const loader: Loader = { suite, projects, issuer, resolvers };
  return { loader, pool: openPool(loader), explainsAll };
};

/** Opens a session. The suite is first called when a valid file is run. */
export const openSession = (address: () => SuiteAddress, options: SessionOptions): Session => {
  const { cwd, jobs } = options;
  const read = new Map<string, ReadWorld>();
  let opened: Promise<RunParts> | undefined;
  const known = async (): Promise<RunParts | undefined> => opened?.catch(() => undefined);
  /** The next run retries an unreachable suite. */
  const reach = (): Promise<RunParts> => {
    opened ??= open(address, options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    run: async (files, signal) => {
      const results = new Map<string, FileResult>();
      await inParallel(files, jobs, async (file) => {
        if (signal.aborted) return;
        const found = await readWorld(file, cwd);
        read.set(file, found);
        results.set(file, await runFile(reach, shownPath(cwd, file), found));
      });
      return files.flatMap((file) => results.get(file) ?? []);
    },
    dependenciesOf: (file) => read.get(file)?.dependencies ?? [file],
    touch: async () => (await known())?.loader.projects.touch(),
    close: async () => {
      const { loader } = (await known()) ?? {};
      await Promise.allSettled([loader?.projects.removeAll(), loader?.resolvers.close()]);
    },
  };
};
