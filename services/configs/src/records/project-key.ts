import { lookUpProperties, projectKey, type ProjectKey } from "@ikg/physical";
import type { StoredRecord } from "./record.ts";

/** The key of a project in the graph; empty for a project with a database of its own. */
export const projectKeyOf = ({ columns }: StoredRecord): ProjectKey => {
  const pk = columns[lookUpProperties.projectKey];
  return projectKey(typeof pk === "string" ? pk : "");
};
