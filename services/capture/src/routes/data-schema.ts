import { type DataSchema, DataSchemaQuery, Problem } from "@ikg/contracts";
import { type Route, route } from "@ikg/service";
import type { DataSchemaCache } from "../data-schema/data-schema-cache.ts";
import { activeProject, type Projects } from "../projects/projects.ts";
import { projectOfCaller } from "./project-of-caller.ts";

/** GET /data-schema/v1: what the graph of a project holds. */
export const dataSchema = (projects: Projects, schemas: DataSchemaCache): Route =>
  route({
    operation: "read_data_schema",
    method: "get",
    path: "/data-schema/v1",
    caller: "either",
    permission: "ReadDataSchema",
    queryParameters: DataSchemaQuery,
    handle: async ({ caller, reach, query: { project_id: named } }): Promise<DataSchema> => {
      const project = await projectOfCaller(projects, caller, reach, named);
      const schema = await schemas.of(await activeProject(projects, project));
      if (schema === undefined) throw new Problem("not_found", { errors: ["graph: nothing captured yet"] });
      return schema;
    },
  });
