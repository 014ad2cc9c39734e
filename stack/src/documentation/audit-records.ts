import { recordSchemas } from "@ikg/audit";
import { z } from "zod";

/** The JSON Schema of an audit record: one alternative for each type. */
export const auditRecordSchema = (): Readonly<Record<string, unknown>> => ({
  ...z.toJSONSchema(z.union(Object.values(recordSchemas)), { target: "draft-2020-12" }),
  title: "Audit record",
});
