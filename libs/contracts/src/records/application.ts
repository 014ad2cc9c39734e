import { z } from "zod";
import { gidOf, namedFields, namedRecord, projectParents } from "./fields.ts";

/** api specification 9.3. */
export const CreateApplication = z.object({ project_id: gidOf("project"), ...namedFields });

export type CreateApplication = z.output<typeof CreateApplication>;

export const ApplicationRecord = z.object({ ...namedRecord, ...projectParents });
