import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import { linesOf } from "@ikg/audit";
import type { AuditBatch, AuditRecord, IkgAdmin } from "@ikg/client";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";

/** Whether a record is a decision that can be replayed. */
const isDecision = ({ type }: AuditRecord): boolean => /^audit\.authorization\.evaluations?$/.test(type);

const isSince = ({ time }: AuditRecord, since: number): boolean =>
  typeof time === "string" && Date.parse(time) >= since;

const ofBatches = async function* (
  batches: AsyncIterable<AuditBatch>,
  since: number,
): AsyncGenerator<AuditRecord, void, undefined> {
  for await (const { data } of batches)
    yield* data.filter((each) => isDecision(each) && isSince(each, since));
};

/**
 * Maximum difference between the clocks of the services that create records and the one that signs batches: a record may have a
 * later time than its batch.
 */
const maxClockSkewMs = 5 * 60_000;

/** Batches of `ikg audit export`. */
const exportedBatches = async function* (
  folder: string,
  { cwd }: CommandEnvironment,
): AsyncGenerator<AuditBatch, void, undefined> {
  const file = join(folder, "batches.ndjson");
  const input = createReadStream(resolve(cwd, file));
  try {
    for await (const line of linesOf(input)) yield JSON.parse(line) as AuditBatch; // the form of docs/audit.md
  } catch (error) {
    throw new CommandFault(`${file} cannot be read: ${(error as Error).message}`);
  } finally {
    // A reader that stops early leaves it open.
    input.destroy();
  }
};

/**
 * Records of decisions since a time, in the order of the chain: from an export, or from the signed batches of the suite.
 */
export const recordedDecisions = (
  admin: IkgAdmin,
  { since, folder }: { readonly since: number; readonly folder: string | undefined },
  environment: CommandEnvironment,
): AsyncGenerator<AuditRecord, void, undefined> =>
  ofBatches(
    folder === undefined
      ? admin.audit.batches({ since: new Date(Math.max(0, since - maxClockSkewMs)) })
      : exportedBatches(folder, environment),
    since,
  );
