/** The section of a release in CHANGELOG.md. */
import { UserError } from "../../launch/user-error.mjs";

/** Lines of a section below its heading; undefined when there is none. */
const sectionOf = (changelog: string, heading: RegExp): string | undefined => {
  const parts = changelog.split(/^(?=## )/m);
  const found = parts.find((part) => heading.test(part));
  return found?.split("\n").slice(1).join("\n").trim();
};

/**
 * What users notice of a release.
 *
 * @throws UserError when its section is missing, has no date, is empty, or when changes still stand under `Unreleased`
 */
export const releaseNotes = (changelog: string, version: string): string => {
  const escaped = version.replaceAll(".", "\\.");
  const notes = sectionOf(changelog, new RegExp(`^## \\[${escaped}\\] - \\d{4}-\\d{2}-\\d{2}\\s*$`, "m"));
  if (notes === undefined)
    throw new UserError(
      `CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD": give the one of [Unreleased] this heading, below an empty [Unreleased].`,
    );
  if (!/^- /m.test(notes)) throw new UserError(`CHANGELOG.md: the section of ${version} lists no change.`);
  const open = sectionOf(changelog, /^## \[Unreleased\]/);
  if (open !== undefined && open !== "")
    throw new UserError(
      `CHANGELOG.md: changes still stand under [Unreleased]; they belong to ${version}, or wait for its commit.`,
    );
  return notes;
};
