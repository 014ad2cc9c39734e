/** Whose work a job is. Organizations take turns, and the projects of each among themselves. */
export interface TurnOwner {
  readonly project: string;
  /** Absent where it is unknown, and in jobs of earlier versions: an organization of their own project. */
  readonly organization?: string;
}

/** Where projects are known; the catalog in production. */
interface KnownProjects {
  project(id: string): Promise<{ readonly organizationId: string } | undefined>;
}

/** The owner of a project's jobs; without its organization while that cannot be read. */
export const turnOwnerOf = async <Id extends string>(
  projects: KnownProjects,
  project: Id,
): Promise<TurnOwner & { readonly project: Id }> => {
  const known = await projects.project(project).catch(() => undefined);
  return { project, ...(known === undefined ? {} : { organization: known.organizationId }) };
};
