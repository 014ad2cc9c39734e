import type { IkgAdmin } from "@ikg/client";
import type { WrittenChanges } from "../../changes/placed-faults.ts";
import { queriesConcerned } from "../../changes/query-warning.ts";
import { changesOf } from "../../project-folder/changes-of.ts";
import { type Differences, differences } from "../../project-folder/difference.ts";
import { filesOfExport } from "../../project-folder/of-export.ts";
import { readFolder } from "../../project-folder/read-folder.ts";
import type { Surroundings } from "../../surroundings.ts";

/** Differences, and where the files say them. */
export interface ComparedFolder {
  readonly compared: Differences;
  /** When the project was as it was compared, by the clock of the suite. */
  readonly since: string;
  /** Policies and queries as one change set. */
  readonly changes: WrittenChanges;
  /** What of them concerns rows of queries. */
  readonly queries: readonly string[];
}

/** What has to change for a project to be as a folder says. */
export const compareFolder = async (
  admin: IkgAdmin,
  folder: string,
  { around, prune }: { readonly around: Surroundings; readonly prune: boolean },
): Promise<ComparedFolder> => {
  const files = await readFolder(folder, around);
  const exported = await admin.export();
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
    changes: { changes: changesOf(compared.texts), written },
    queries: queriesConcerned(compared.texts, queries),
  };
};
