import type { IkgAdmin } from "@ikg/client";
import { type Differences, differences } from "../../project-folder/difference.ts";
import { filesOfExport } from "../../project-folder/of-export.ts";
import { readFolder } from "../../project-folder/read-folder.ts";
import type { Surroundings } from "../../surroundings.ts";

/** What has to change for a project to be as a folder says. */
export const compareFolder = async (
  admin: IkgAdmin,
  folder: string,
  { around, prune }: { readonly around: Surroundings; readonly prune: boolean },
): Promise<Differences> => {
  const files = await readFolder(folder, around);
  const exported = await admin.export();
  const secretsOf = (collection: string, name: string): readonly string[] =>
    exported.secrets
      .filter((each) => each.collection === collection && each.name === name)
      .map(({ field }) => field);
  return differences(
    filesOfExport(exported, () => undefined),
    files,
    { prune, secretsOf },
  );
};
