import { z } from "zod";
import { namedRecord } from "./fields.ts";

/** Organizations are made by the operator's command, not over HTTP. */
export const OrganizationRecord = z.object(namedRecord);
