import { inferredMapping, type ProfileOptions, profileTable, type TableProfile } from "@ikg/imports/browser";
import { type ChosenFile, type ImportWork, importWorks, type ProfileState } from "../work/import-work.ts";
import { holdsLines, readOptionsOf, saysRows, sectionOf, withSection } from "../work/sections.ts";
import { sampleOf } from "./sample-of.ts";

const profile = async (file: ChosenFile, options: ProfileOptions): Promise<ProfileState> => {
  try {
    const profiled = await profileTable(file.table, options);
    return { status: "read", profile: profiled, sample: await sampleOf(file.table, options, profiled) };
  } catch (error) {
    return { status: "failed", message: (error as Error).message };
  }
};

const profilesOf = (files: readonly ChosenFile[]): readonly TableProfile[] =>
  files.flatMap(({ profileState }) => (profileState.status === "read" ? [profileState.profile] : []));

/** What the data says, for files that no section is for yet. */
const withInferred = ({ files, sections, text }: ImportWork): ImportWork => {
  let all = sections;
  for (const file of files) {
    const { name, profileState } = file;
    const present = sectionOf(all, name);
    if (profileState.status !== "read" || holdsLines(file) || saysRows(present)) continue;
    const inferred = inferredMapping(profilesOf(files)).files[name];
    if (inferred !== undefined) all = withSection(all, name, { ...inferred, ...present });
  }
  return { files, text, sections: all };
};

const keyOf = ({ columns, delimiter, quote, encoding }: ProfileOptions): string =>
  JSON.stringify([columns, delimiter, quote, encoding]);

const isReadAs = ({ readAs }: ChosenFile, options: ProfileOptions): boolean =>
  readAs !== undefined &&
  keyOf({ ...options, delimiter: options.delimiter ?? readAs.delimiter }) === keyOf(readAs);

const standardDelimiter = ({ table }: ChosenFile): string | undefined =>
  table.format === "csv" ? "," : undefined;

/** Reads the first rows of files that are new, or are to be read in another way, and infers what is missing of the mapping. */
export const profileFiles = (projectId: string): void => {
  const work = importWorks.get(projectId);
  const change = (table: ChosenFile["table"], changed: (file: ChosenFile) => ChosenFile): void => {
    const now = importWorks.get(projectId);
    if (now === undefined) return;
    const files = now.files.map((each) => (each.table === table ? changed(each) : each));
    importWorks.set(projectId, withInferred({ ...now, files }));
  };
  for (const file of work?.files ?? []) {
    const options = readOptionsOf(sectionOf(work?.sections ?? {}, file.name), file.table);
    if (isReadAs(file, options)) continue;
    change(file.table, (each) => ({ ...each, profileState: { status: "reading" }, readAs: options }));
    void profile(file, options).then((profileState) =>
      change(file.table, (each) => {
        // A later way of reading has begun.
        if (each.readAs !== options) return each;
        const found = profileState.status === "read" ? profileState.profile.delimiter : undefined;
        const delimiter = options.delimiter ?? found ?? standardDelimiter(file);
        return { ...each, profileState, readAs: { ...options, delimiter } };
      }),
    );
  }
};
