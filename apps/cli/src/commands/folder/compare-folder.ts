import type { IkgAdmin } from "@ikg/client";
import { withPlaces, type WrittenChanges } from "../../changes/placed-faults.ts";
import { queriesConcerned } from "../../changes/query-warning.ts";
import { changesOf } from "../../project-folder/changes-of.ts";
import { type Differences, differences } from "../../project-folder/difference.ts";
import { withConflicts } from "../../project-folder/conflict-fault.ts";
import { filesOfExport } from "../../project-folder/of-export.ts";
import { readFolder } from "../../project-folder/read-folder.ts";
import { SeenVersions } from "../../project-folder/seen-versions.ts";
import { type Versions, versionsOf } from "../../project-folder/versions.ts";
import type { Surroundings } from "../../surroundings.ts";

/** Differences, and where the files say them. */
export interface ComparedFolder {
  readonly compared: Differences;
  /** When the project was as it was compared, by the clock of the suite. */
  readonly since: string;
  /** What the records of the project were then; undefined where the suite does not say. */
  readonly versions: Versions | undefined;
  /** What earlier commands saw of them. */
  readonly seen: SeenVersions;
  /** Policies and queries as one change set. */
  readonly changes: WrittenChanges;
  /** What of them concerns rows of queries. */
  readonly queries: readonly string[];
}

export interface CompareOptions {
  readonly around: Surroundings;
  /** Records without a file are to be deleted. */
  readonly prune: boolean;
  /** Address of the deployment. */
  readonly url: string;
}

/** What has to change for a project to be as a folder says. */
export const compareFolder = async (
  admin: IkgAdmin,
  folder: string,
  { around, prune, url }: CompareOptions,
): Promise<ComparedFolder> => {
  const files = await readFolder(folder, around);
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
    seen: new SeenVersions({ url, projectId: exported.project_id, folder }, around),
    changes: { changes: changesOf(compared.texts, versions), written },
    queries: queriesConcerned(compared.texts, queries),
  };
};

/**
 * Calls the suite with the change set of a folder.
 *
 * @throws CommandFault with what it refuses at its place, and with what has been changed since the folder was compared.
 */
export const withFolder = <T>(
  admin: IkgAdmin,
  { changes, compared, versions }: ComparedFolder,
  around: Surroundings,
  call: () => Promise<T>,
): Promise<T> => withPlaces(changes, around, () => withConflicts(admin, compared.texts, versions, call));
