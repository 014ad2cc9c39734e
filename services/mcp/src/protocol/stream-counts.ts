import { Holdings, organizationShare } from "@ikg/service";

/** Open streams at most, in one process; all projects of an organization have three quarters of the total. */
export interface StreamLimits {
  readonly perSubject: number;
  readonly perProject: number;
  readonly total: number;
}

/** The project of a stream. */
export interface StreamProject {
  readonly id: string;
  readonly organizationId: string;
}

/** Counts open streams. */
export interface StreamCounts {
  /**
   * Begins one.
   *
   * @returns what ends it; undefined when there are as many as there may be.
   */
  begin(project: StreamProject, subject: string): (() => void) | undefined;
}

export const openStreamCounts = ({ perSubject, perProject, total }: StreamLimits): StreamCounts => {
  const subjects = new Holdings(perSubject);
  const projects = new Holdings(perProject);
  const organizations = new Holdings(Math.max(perProject, Math.floor(total * organizationShare)));
  let all = 0;
  const count = ({ id, organizationId }: StreamProject, subject: string, by: 1 | -1): void => {
    subjects.add(subject, by);
    projects.add(id, by);
    organizations.add(organizationId, by);
    all += by;
  };
  return {
    begin: (project, subject) => {
      const isFull =
        all >= total ||
        !projects.hasCapacity(project.id, 1) ||
        !organizations.hasCapacity(project.organizationId, 1) ||
        !subjects.hasCapacity(subject, 1);
      if (isFull) return undefined;
      count(project, subject, 1);
      return () => count(project, subject, -1);
    },
  };
};
