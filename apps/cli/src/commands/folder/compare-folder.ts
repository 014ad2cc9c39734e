import type { IkgAdmin } from "@ikg/client";
import { withLocatedErrors, type WrittenChanges } from "../../project-folder/located-errors.ts";
import { queriesConcerned } from "../../changes/query-warning.ts";
import { changesOf } from "../../project-folder/changes-of.ts";
import { type Differences, differences } from "../../project-folder/difference.ts";
import { withConflicts } from "../../project-folder/conflict-fault.ts";
import { filesOfExport } from "../../project-folder/of-export.ts";
import { readFolder } from "../../project-folder/read-folder.ts";
import { SeenVersions } from "../../project-folder/seen-versions.ts";
import { type Versions, versionsOf } from "../../project-folder/versions.ts";
import type { CommandEnvironment } from "../../command-environment.ts";

/** Differences between a folder and the project, with their positions in files. */
export interface ComparedFolder {
  readonly compared: Differences;
  /** Time of the comparison, by the clock of the suite. */
  readonly since: string;
  /** Versions of the records of the project at that time; undefined if the suite does not report them. */
  readonly versions: Versions | undefined;
  /** Versions that earlier commands have shown. */
  readonly seen: SeenVersions;
  /** Policies and queries as one change set. */
  readonly changes: WrittenChanges;
  /** The changes that affect rows of queries. */
  readonly queries: readonly string[];
}

export interface CompareOptions {
  readonly environment: CommandEnvironment;
  /** Whether records without a file are deleted. */
  readonly prune: boolean;
  /** Address of the deployment. */
  readonly url: string;
}

/** Computes the changes that make a project equal to a folder. */
export const compareFolder = async (
  admin: IkgAdmin,
  folder: string,
  { environment, prune, url }: CompareOptions,
): Promise<ComparedFolder> => {
  const files = await readFolder(folder, environment);
  const exported = await admin.export();
  const versions = versionsOf(exported);
  const secretsOf = (collection: string, name: string): readonly string[] =>
    exported.secrets
      .filter((each) => each.collection === collection && each.name === name)
      .map(({ field }) => field);
  const today = filesOfExport(exported, () => undefined);
  const compared = differences(today, files, { prune, secretsOf });
  const written = compared.texts.map(({ collection, name, after }) =>
    after === undefined ? undefined : files.written[collection].get(name),
  );
  const queries = [today, files].map(({ texts }) => texts["knowledge-queries"]);
  return {
    compared,
    since: exported.export_time,
    versions,
    seen: new SeenVersions({ url, projectId: exported.project_id, folder }, environment),
    changes: { changes: changesOf(compared.texts, versions), written },
    queries: queriesConcerned(compared.texts, queries),
  };
};

/**
 * Calls the suite with the change set of a folder.
 *
 * @throws CommandFault with the positions of errors, and for records that have changed since the comparison.
 */
export const withFolder = <T>(
  admin: IkgAdmin,
  { changes, compared, versions }: ComparedFolder,
  environment: CommandEnvironment,
  call: () => Promise<T>,
): Promise<T> =>
  withLocatedErrors(changes, environment, () => withConflicts(admin, compared.texts, versions, call));
