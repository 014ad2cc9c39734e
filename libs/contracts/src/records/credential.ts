import { z } from "zod";
import { instant } from "../instant.ts";
import type { Field } from "./description.ts";
import { nameFields } from "./fields.ts";

/** What a caller may say of a credential, an agent's or a service account's. */
export const credentialFields = {
  display_name: { ...nameFields.display_name, rule: "2-254 characters; shown as the kid when unset" },
  expire_time: {
    schema: instant,
    create: "optional",
    update: "ignored",
    storedIn: { column: "expire_time" },
    rule: "RFC 3339 with offset, in the future; never expires if absent",
  },
} as const satisfies Readonly<Record<string, Field>>;

/** Fields of every credential as read. */
export const credentialRecord = {
  id: z.string(),
  kid: z.string(),
  display_name: z.string(),
  create_time: z.string(),
  created_by: z.string(),
  expire_time: z.string().optional(),
};

/** At most this many credentials of one agent or service account may be unexpired at a time. */
export const maxLiveCredentials = 10;
