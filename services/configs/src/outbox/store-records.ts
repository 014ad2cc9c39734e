import type { AuditRecord } from "@ikg/audit";
import { type Gid, newUuid } from "@ikg/contracts";
import type { Transaction } from "@ikg/graph";
import { auditOutboxKey, auditOutboxLabel } from "@ikg/physical";

/** Records of one node at most, and about how many bytes: the audit writer puts whole nodes into batches. */
const mostRecords = 50;
const mostBytes = 256 * 1024;

const createText = `UNWIND $entries AS entry CREATE (o:${auditOutboxLabel}) SET o = entry`;

interface Part {
  readonly texts: string[];
  bytes: number;
}

/** The records of a chain, in parts that fit one node. */
const partsOf = (records: readonly AuditRecord[]): readonly Part[] => {
  const parts: Part[] = [];
  for (const record of records) {
    const text = JSON.stringify(record);
    const bytes = Buffer.byteLength(text);
    const last = parts.at(-1);
    if (last === undefined || last.texts.length >= mostRecords || last.bytes + bytes > mostBytes)
      parts.push({ texts: [text], bytes });
    else {
      last.texts.push(text);
      last.bytes += bytes;
    }
  }
  return parts;
};

/** Stores audit records in the transaction of their change; the audit writer moves them into their chains. */
export const storeRecords = async (
  tx: Transaction,
  records: readonly AuditRecord[],
  organizationId: Gid,
): Promise<void> => {
  const changeId = newUuid();
  const chains = Map.groupBy(records, (record) => record.project_id);
  const entries = [...chains].flatMap(([chain, each]) =>
    partsOf(each).map(({ texts, bytes }, index) => ({
      key: auditOutboxKey(chain, changeId, index),
      chain,
      organization_id: organizationId,
      records: `[${texts.join(",")}]`,
      count: texts.length,
      bytes,
    })),
  );
  if (entries.length > 0) await tx.run(createText, { entries });
};
