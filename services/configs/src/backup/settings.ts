import { secretKey } from "@ikg/service";
import { z } from "zod";
import { DatabaseSettings } from "../commands/command-database.ts";

/** Settings of the commands that back up and restore a deployment. */
export const BackupSettings = z
  .object({
    ...DatabaseSettings.shape,
    BACKUP_KEY: secretKey("Seals and opens backups; or `BACKUP_PASSPHRASE`.")
      .optional()
      .meta({ secret: true }),
    BACKUP_PASSPHRASE: z.string().min(16).optional().meta({
      secret: true,
      description: "From which the key of each backup is derived (scrypt) where `BACKUP_KEY` is unset.",
    }),
    BACKUP_HOLD_MS: z.coerce.number().int().min(50).max(60_000).default(500).meta({
      description: "For how long the writers of a project with load are held at one time at most, in ms.",
    }),
  })
  .refine(
    ({ BACKUP_KEY, BACKUP_PASSPHRASE }) => (BACKUP_KEY === undefined) !== (BACKUP_PASSPHRASE === undefined),
    { error: "set one of BACKUP_KEY and BACKUP_PASSPHRASE", path: ["BACKUP_KEY"] },
  );

export type BackupSettings = z.output<typeof BackupSettings>;
