import neo4j, { type Driver } from "neo4j-driver";
import { UserError } from "./settings.ts";

/** Key of a project in the graph. Only who works without the API needs it: callers of the API never see it. */
export const projectKey = async (driver: Driver, projectId: string): Promise<string> => {
  const { records } = await driver.executeQuery(
    "MATCH (project:_Record {id: $id}) RETURN project.pk AS pk",
    { id: projectId },
    { database: "neo4j", routing: neo4j.routing.READ },
  );
  const pk: unknown = records[0]?.get("pk");
  if (typeof pk !== "string" || !/^[a-z0-9]{8}$/.test(pk))
    throw new UserError("The project has no key in Neo4j.");
  return pk;
};
