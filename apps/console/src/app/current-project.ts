import type { ProjectRecord } from "@ikg/client";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useAdmin } from "../session/use-admin.ts";

/** Projects that the administrator sees, by name. */
export const useProjects = () => {
  const admin = useAdmin();
  return useQuery({
    queryKey: ["projects"],
    queryFn: async ({ signal }) =>
      (await admin.projects.list({ signal })).toSorted((one, other) => one.name.localeCompare(other.name)),
  });
};

/** The project of an address, else the first one. */
export const projectOf = (
  projects: readonly ProjectRecord[],
  named: string | undefined,
): ProjectRecord | undefined =>
  named === undefined ? projects[0] : projects.find(({ id, name }) => id === named || name === named);

/** The project that the screens are about; undefined while it is not known. */
export const useCurrentProject = (): ProjectRecord | undefined => {
  const { project } = useSearch({ strict: false });
  const { data = [] } = useProjects();
  return projectOf(data, project);
};
