import { z } from "zod";
import { namePattern } from "../names.ts";
import { gidOf } from "../records/fields.ts";

const maxTypes = 100;

const typesFault = `1-${maxTypes} node types with commas between them expected`;

/** The platform's own types begin with an underscore. */
const isCaptured = (type: string): boolean => namePattern.test(type) && !type.startsWith("_");

/**
 * Query of GET /capture/v1/export. `types`: only nodes of these types, and relationships between them. `project_id`: which
 * project; an application agent's own when it is absent.
 */
export const GraphExportQuery = z.object({
  project_id: gidOf("project").optional(),
  types: z
    .string({ error: typesFault })
    .transform((text) => [...new Set(text.split(","))].sort())
    .refine((types) => types.length <= maxTypes && types.every(isCaptured), { error: typesFault })
    .optional(),
});
