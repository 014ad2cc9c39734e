import { type DataSchema, Problem } from "@ikg/contracts";
import { type Route, route } from "@ikg/service";
import type { KeptSchemas } from "../data-schema/kept-schemas.ts";
import { activeProject, type Projects } from "../projects.ts";

/** GET /data-schema/v1: what the graph of the caller's project holds. */
export const dataSchema = (projects: Projects, schemas: KeptSchemas): Route =>
  route({
    operation: "read_data_schema",
    method: "get",
    path: "/data-schema/v1",
    caller: "agent",
    permission: "ReadDataSchema",
    handle: async ({ caller }): Promise<DataSchema> => {
      const schema = await schemas.of(await activeProject(projects, caller.project));
      if (schema === undefined) throw new Problem("not_found", { errors: ["graph: nothing captured yet"] });
      return schema;
    },
  });
