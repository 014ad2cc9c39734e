import { z } from "zod";
import { type Gid, gidKinds, type GidKind } from "../gid.ts";

/** Redis channel on which the configs service announces every committed change of a record. */
export const changesChannel = "ikg:changes";

const gid = z.string().transform((value) => value as Gid); // written by configs alone

/**
 * One announcement: which record has changed. A process that keeps what follows from it drops that, and reads it
 * again on the next use. Announcements can get lost, so a cache also has a largest age and is dropped
 * as a whole when the subscription was interrupted.
 */
export const ChangeAnnouncement = z.object({
  kind: z.enum(Object.keys(gidKinds) as [GidKind, ...GidKind[]]), // keys of a non-empty constant
  id: gid,
  organization_id: gid,
  project_id: gid.optional(),
  /** Public key id, for credentials. */
  kid: z.string().optional(),
  action: z.enum(["created", "updated", "deleted"]),
});

export type ChangeAnnouncement = z.output<typeof ChangeAnnouncement>;
