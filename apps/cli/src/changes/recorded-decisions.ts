import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { AuditBatch, AuditRecord, IkgAdmin } from "@ikg/client";
import { CommandFault, type Surroundings } from "../surroundings.ts";

/** Decisions that a replay can decide again. */
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
 * Clocks of the services that make records and of the one that signs batches of them may differ by as much: a record may
 * say a later time than its batch.
 */
const clocksDifferMs = 5 * 60_000;

/** Batches of `ikg audit export`. */
const exportedBatches = async function* (
  folder: string,
  { cwd }: Surroundings,
): AsyncGenerator<AuditBatch, void, undefined> {
  const file = join(folder, "batches.ndjson");
  try {
    const lines = createInterface({ input: createReadStream(resolve(cwd, file)), crlfDelay: Infinity });
    for await (const line of lines) yield JSON.parse(line) as AuditBatch; // the form of docs/audit.md
  } catch (error) {
    throw new CommandFault(`${file} cannot be read: ${(error as Error).message}`);
  }
};

/**
 * Records of decisions since a time, in the order of the chain: of an export, or of the suite, which shows what is in
 * signed batches.
 */
export const recordedDecisions = (
  admin: IkgAdmin,
  { since, folder }: { readonly since: number; readonly folder: string | undefined },
  around: Surroundings,
): AsyncGenerator<AuditRecord, void, undefined> =>
  ofBatches(
    folder === undefined
      ? admin.audit.batches({ since: new Date(Math.max(0, since - clocksDifferMs)) })
      : exportedBatches(folder, around),
    since,
  );

const mostRecords = 1_000;
/** Below the 2 MB that a request may have, with room for the changes. */
const mostBytes = 1_000_000;

/** Records in portions that one request takes. */
export const portions = async function* (
  records: AsyncIterable<AuditRecord>,
): AsyncGenerator<readonly AuditRecord[], void, undefined> {
  let portion: AuditRecord[] = [];
  let bytes = 0;
  for await (const record of records) {
    const size = Buffer.byteLength(JSON.stringify(record));
    if (portion.length > 0 && (portion.length >= mostRecords || bytes + size > mostBytes)) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(record);
    bytes += size;
  }
  if (portion.length > 0) yield portion;
};
