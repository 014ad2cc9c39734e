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
import { type Places, runFile, type RunParts } from "./run-file.ts";

export interface SessionOptions {
  readonly cwd: string;
  /** Files at a time. */
  readonly jobs: number;
  /** Address of this machine at which the suite's calls of resolvers are answered. */
  readonly resolverHost: string;
  /** Where worlds are tested. */
  readonly places: (loader: Loader) => Places;
  /** Every answer is explained. */
  readonly explainsAll: boolean;
}

/** A connection to a suite, for one or several runs. */
export interface Session {
  /** Runs files side by side; results are in their order. */
  run(files: readonly string[]): Promise<readonly FileResult[]>;
  /** Every file and folder that a test file depended on when it was read last. */
  dependenciesOf(file: string): readonly string[];
  /** Marks its projects as still in use. */
  touch(): Promise<void>;
  /** Removes every project of this session. */
  close(): Promise<void>;
}

const open = async (
  address: () => SuiteAddress,
  { resolverHost, places, explainsAll }: SessionOptions,
): Promise<RunParts> => {
  const { organization, ...where } = address();
  const suite = openSuite(where);
  const projects = await openTestProjects(suite, organization);
  await projects.removeLeftovers();
  const [issuer, resolvers] = await Promise.all([openIssuer(), openResolverServer(resolverHost)]);
  const loader: Loader = { suite, projects, issuer, resolvers };
  return { loader, places: places(loader), explainsAll };
};

/** Opens a session. The suite is called when the first file without a fault is run. */
export const openSession = (address: () => SuiteAddress, options: SessionOptions): Session => {
  const { cwd, jobs } = options;
  const read = new Map<string, ReadWorld>();
  let opened: Promise<RunParts> | undefined;
  const known = async (): Promise<RunParts | undefined> => opened?.catch(() => undefined);
  /** A suite that could not be reached is tried again by the next run. */
  const reach = (): Promise<RunParts> => {
    opened ??= open(address, options).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    run: async (files) => {
      const results = new Map<string, FileResult>();
      await inParallel(files, jobs, async (file) => {
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
