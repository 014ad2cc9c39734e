import { hash } from "node:crypto";
import type { Project } from "./projects.ts";

/**
 * Identifies the graph of a project and its database: it differs once the project was moved. A hash, since it is stored with
 * imports.
 *
 * @returns undefined while the connection of the project's own database cannot be read.
 */
export const graphIdOf = ({ pk, connection }: Pick<Project, "pk" | "connection">): string | undefined =>
  pk === "" && connection === undefined
    ? undefined
    : hash("sha256", JSON.stringify([pk, connection?.url ?? "", connection?.name ?? "neo4j"]));
