import { z } from "zod";
import { ImportMapping } from "./schema.ts";

/** The JSON Schema of mapping files, for editors. */
export const importMappingSchema = (): Record<string, unknown> => ({
  ...z.toJSONSchema(ImportMapping, { target: "draft-2020-12", io: "input" }),
  title: "IKG import mapping",
});
