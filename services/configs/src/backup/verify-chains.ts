import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { AuditKey, checkChain, Checkpoint, Manifest, type StoredEvent } from "@ikg/audit";
import {
  auditBatchLabel,
  auditCheckpointLabel,
  auditKeyLabel,
  auditOutboxLabel,
  auditSpillLabel,
} from "@ikg/physical";
import type { CopiedChain } from "./audit-copy.ts";
import type { RawDatabase } from "./source.ts";

const inflate = promisify(inflateRaw);

const between = "n.key > $chain + '@' AND n.key < $chain + 'A'";

const waitingText = [
  `CALL () { MATCH (n:${auditOutboxLabel}) WHERE n.key > $chain + '/' AND n.key < $chain + '0' RETURN count(n) AS outbox }`,
  `CALL () { MATCH (n:${auditSpillLabel}) WHERE ${between} RETURN count(n) AS sealed }`,
  "RETURN outbox, sealed",
].join(" ");

/** What of the records is missing that wait for a chain: no signature covers them yet. */
const waitingFaultsOf = async (
  database: RawDatabase,
  { chain, outbox, sealed }: CopiedChain,
): Promise<readonly string[]> => {
  const [found] = await database.read(waitingText, { chain });
  const counts = [
    [Number(found?.["outbox"]), outbox, "entries of records that wait"],
    [Number(found?.["sealed"]), sealed, "sealed batches that wait"],
  ] as const;
  return counts.flatMap(([count, wanted, what]) =>
    count === wanted ? [] : [`audit chain ${chain}: ${count} ${what} instead of ${wanted}`],
  );
};

/** What is wrong with a chain; nothing when it verifies and ends where the backup says. */
const faultsOf = async (
  database: RawDatabase,
  { chain, sequence }: CopiedChain,
): Promise<readonly string[]> => {
  if (sequence === 0) return [];
  const params = { chain };
  // Batches whose records were removed by their age keep their manifests.
  const [row] = await database.read(
    `MATCH (n:${auditBatchLabel}) WHERE ${between} AND n.data IS NULL RETURN count(n) AS removed`,
    params,
  );
  const check = checkChain({ partial: row?.["removed"] !== 0n });
  for (const { jwk } of await database.read(
    `MATCH (n:${auditKeyLabel} {project_id: $chain}) RETURN n.jwk AS jwk`,
    params,
  ))
    await check.key(AuditKey.parse(JSON.parse(String(jwk))));
  const batches = [
    `MATCH (n:${auditBatchLabel}) WHERE ${between}`,
    "RETURN n.manifest AS manifest, n.data AS data ORDER BY n.key",
  ].join(" ");
  for await (const { manifest: text, data } of database.stream(batches, params)) {
    const manifest = Manifest.parse(JSON.parse(String(text)));
    await check.manifest(manifest);
    if (!(data instanceof Int8Array)) continue;
    const { batch_id, project_id, manifest_id, kid, alg, signature } = manifest;
    const events = (await inflate(Buffer.from(data))).toString("utf8");
    await check.batch(
      {
        ...{ batch_id, project_id, sequence: manifest.sequence, manifest_id, kid, alg, signature },
        data: JSON.parse(events) as StoredEvent[], // as the audit service wrote them
        hash: manifest.data_hash,
        chain_hash: manifest.head_hash,
      },
      events,
    );
  }
  const checkpoints = `MATCH (n:${auditCheckpointLabel}) WHERE ${between} RETURN n.checkpoint AS checkpoint`;
  for await (const { checkpoint } of database.stream(checkpoints, params))
    await check.checkpoint(Checkpoint.parse(JSON.parse(String(checkpoint))));
  const { last, failed } = check.end();
  return [
    ...failed.map(({ record, reason }) => `audit chain ${chain}: ${record}: ${reason}`),
    ...(last === sequence ? [] : [`audit chain ${chain}: ends at ${last} instead of ${sequence}`]),
  ];
};

/** Verifies restored chains, one after the other. */
export const verifyChains = async (
  database: RawDatabase,
  chains: readonly CopiedChain[],
): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const chain of chains)
    faults.push(...(await faultsOf(database, chain)), ...(await waitingFaultsOf(database, chain)));
  return faults;
};
