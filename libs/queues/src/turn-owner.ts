/** Whose work a job is. Organizations take turns, and the projects of each among themselves. */
export interface TurnOwner {
  readonly project: string;
  /**
   * Absent in jobs of builds before 0.2.0 until their next turn, and while it is unknown: until then such a job is an
   * organization of its own project.
   */
  readonly organization?: string;
}

/** The part of a BullMQ job that holds its owner. */
interface OwnedJob<T extends TurnOwner> {
  readonly data: T;
  updateData(data: T): Promise<void>;
}

/** The projects of the suite; the catalog in production. */
interface Projects {
  project(id: string): Promise<{ readonly organizationId: string } | undefined>;
}

/** The organization by which a job takes turns. */
export const organizationOf = ({ organization, project }: TurnOwner): string => organization ?? project;

/** The owner of a project's jobs; without its organization while that cannot be read. */
export const turnOwnerOf = async <Id extends string>(
  projects: Projects,
  project: Id,
): Promise<TurnOwner & { readonly project: Id }> => {
  const record = await projects.project(project).catch(() => undefined);
  return { project, ...(record === undefined ? {} : { organization: record.organizationId }) };
};

/**
 * Adds its organization to an active job that has none, unless that cannot be read now.
 *
 * @throws as Redis.
 */
export const addOrganization = async <T extends TurnOwner>(
  projects: Projects,
  job: OwnedJob<T>,
): Promise<void> => {
  if (job.data.organization !== undefined) return;
  const { organization } = await turnOwnerOf(projects, job.data.project);
  if (organization !== undefined) await job.updateData({ ...job.data, organization });
};
