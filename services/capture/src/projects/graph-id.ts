import { hash } from "node:crypto";
import type { Project } from "./projects.ts";

/** Identifies the graph of a project and its database: it differs once the project was moved. A hash, since it is stored with imports. */
export const graphIdOf = ({ pk, connection }: Pick<Project, "pk" | "connection">): string =>
  hash("sha256", JSON.stringify([pk, connection?.url ?? "", connection?.name ?? "neo4j"]));
