import { partOfOrganization } from "@ikg/service";

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
  const ofSubjects = new Map<string, number>();
  const ofProjects = new Map<string, number>();
  const ofOrganizations = new Map<string, number>();
  const perOrganization = Math.max(perProject, Math.floor(total * partOfOrganization));
  let all = 0;
  const add = (counts: Map<string, number>, key: string, change: number): void => {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  const change = ({ id, organizationId }: StreamProject, subject: string, by: number): void => {
    add(ofSubjects, subject, by);
    add(ofProjects, id, by);
    add(ofOrganizations, organizationId, by);
    all += by;
  };
  return {
    begin: (project, subject) => {
      const isFull =
        all >= total ||
        (ofProjects.get(project.id) ?? 0) >= perProject ||
        (ofOrganizations.get(project.organizationId) ?? 0) >= perOrganization ||
        (ofSubjects.get(subject) ?? 0) >= perSubject;
      if (isFull) return undefined;
      change(project, subject, 1);
      return () => change(project, subject, -1);
    },
  };
};
