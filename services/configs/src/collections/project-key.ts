import { lookUpProperties, projectKey, type ProjectKey } from "@ikg/physical";
import type { StoredRecord } from "../records/record.ts";

/** The key of a project in the graph. */
export const projectKeyOf = (project: StoredRecord): ProjectKey =>
  projectKey(String(project.columns[lookUpProperties.projectKey]));
