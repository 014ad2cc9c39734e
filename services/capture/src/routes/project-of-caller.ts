import {
  type Caller,
  type Gid,
  noActiveGraph,
  Problem,
  type Reach,
  reaches,
  roleMissing,
} from "@ikg/contracts";
import { activeProject, type Projects } from "../projects/projects.ts";

/**
 * The project that is read: an agent's own, or the one that an administrator names.
 *
 * @throws Problem "invalid_request" (400) for a project that is missing or another one than the agent's; "not_found" (404) for
 *   one of another organization; "role_missing" (403) where no role of the administrator reaches.
 */
export const projectOfCaller = async (
  projects: Projects,
  caller: Caller,
  reach: Reach,
  named: Gid | undefined,
): Promise<Gid> => {
  if (caller.kind === "agent") {
    if (named === undefined || named === caller.project) return caller.project;
    throw new Problem("invalid_request", {
      errors: ["project_id: the project of the key expected, or none"],
    });
  }
  if (named === undefined) throw new Problem("invalid_request", { errors: ["project_id: required"] });
  const { organizationId } = await activeProject(projects, named);
  if (organizationId !== caller.org) throw noActiveGraph("project");
  if (!reaches(reach, named)) throw roleMissing(caller);
  return named;
};
