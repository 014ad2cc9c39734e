import { z } from "zod";
import { namedRecord } from "./fields.ts";

/** api specification 9.1. Organizations are made by the operator's command, not over HTTP. */
export const OrganizationRecord = z.object(namedRecord);
