/** Open streams at most, in one process. */
export interface StreamLimits {
  readonly perSubject: number;
  readonly perProject: number;
  readonly total: number;
}

/** Counts open streams. */
export interface StreamCounts {
  /**
   * Begins one.
   *
   * @returns what ends it; undefined when there are as many as there may be.
   */
  begin(project: string, subject: string): (() => void) | undefined;
}

export const openStreamCounts = ({ perSubject, perProject, total }: StreamLimits): StreamCounts => {
  const ofSubjects = new Map<string, number>();
  const ofProjects = new Map<string, number>();
  let all = 0;
  const add = (counts: Map<string, number>, key: string, change: number): void => {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  const change = (project: string, subject: string, by: number): void => {
    add(ofSubjects, subject, by);
    add(ofProjects, project, by);
    all += by;
  };
  return {
    begin: (project, subject) => {
      const isFull =
        all >= total ||
        (ofProjects.get(project) ?? 0) >= perProject ||
        (ofSubjects.get(subject) ?? 0) >= perSubject;
      if (isFull) return undefined;
      change(project, subject, 1);
      return () => change(project, subject, -1);
    },
  };
};
