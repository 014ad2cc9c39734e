import {
  auditBatchLabel,
  auditChainLabel,
  auditCheckpointLabel,
  auditKeyLabel,
  auditOutboxLabel,
  auditPlaceKey,
  auditSpillLabel,
} from "@ikg/physical";
import type { RawDatabase, RawRow } from "./source.ts";
import { encodedProperties, type Json } from "./values.ts";

/** A node of the audit, by its label. */
export type AuditLine = { readonly a: readonly [label: string, properties: Json] };

/** What was copied of a chain. */
export interface CopiedChain {
  readonly chain: string;
  /** Sequence of its last batch. */
  readonly sequence: number;
  /** Records that are committed with their change, or sealed, and in no batch yet. */
  readonly outbox: number;
  readonly sealed: number;
}

/** Keys of the places of a chain up to one. */
const placesOf = (chain: string, last: bigint) => ({
  after: auditPlaceKey(chain, 0),
  before: auditPlaceKey(chain, last + 1n),
});

const chainsText = [
  `CALL () { MATCH (c:${auditChainLabel}) RETURN c.project_id AS chain`,
  `UNION MATCH (o:${auditOutboxLabel}) RETURN o.chain AS chain }`,
  "RETURN DISTINCT chain ORDER BY chain",
].join(" ");
const headText = [
  `OPTIONAL MATCH (c:${auditChainLabel} {project_id: $chain}) WITH c`,
  `OPTIONAL MATCH (o:${auditOutboxLabel}) WHERE o.key > $chain + '/' AND o.key < $chain + '0'`,
  "WITH c, o ORDER BY o.key RETURN properties(c) AS c, collect(properties(o)) AS outbox",
].join(" ");
const spillText = [
  `MATCH (n:${auditSpillLabel}) WHERE n.key > $chain + '@' AND n.key < $chain + 'A'`,
  "RETURN properties(n) AS p ORDER BY n.key",
].join(" ");
const placesText = (label: string): string =>
  `MATCH (n:${label}) WHERE n.key > $after AND n.key < $before RETURN properties(n) AS p ORDER BY n.key`;
const keysText = [
  `MATCH (n:${auditKeyLabel}) WHERE n.project_id = $chain AND n.first_sequence <= $sequence`,
  "RETURN properties(n) AS p",
].join(" ");

type Properties = Readonly<Record<string, unknown>>;

/** The head of a chain with what waits for it, as they are at one moment: two readings found the same. */
const readHead = async (database: RawDatabase, chain: string) => {
  for (;;) {
    const read = async () => {
      const [[row], spilled] = await Promise.all([
        database.read(headText, { chain }),
        database.read(spillText, { chain }),
      ]);
      return {
        head: (row?.["c"] ?? undefined) as Properties | undefined,
        outbox: (row?.["outbox"] ?? []) as readonly Properties[],
        spilled: spilled.map((each: RawRow) => each["p"] as Properties),
      };
    };
    const [first, second] = [await read(), await read()];
    const keyOf = ({ head, outbox, spilled }: typeof first): string =>
      JSON.stringify([
        String(head?.["sequence"]),
        ...outbox.map(({ key }) => key),
        ...spilled.map(({ key }) => key),
      ]);
    if (keyOf(first) === keyOf(second)) return first;
  }
};

export const readChains = async (database: RawDatabase): Promise<readonly string[]> =>
  (await database.read(chainsText)).map((row) => String(row["chain"]));

/** Copies a chain up to the batch that is its last one at this moment; batches never change. */
export const copyChain = async (
  database: RawDatabase,
  chain: string,
  write: (line: AuditLine) => Promise<void>,
): Promise<CopiedChain> => {
  const { head, outbox, spilled } = await readHead(database, chain);
  const put = (label: string, properties: Properties) => write({ a: [label, encodedProperties(properties)] });
  for (const each of outbox) await put(auditOutboxLabel, each);
  const waiting = { chain, outbox: outbox.length, sealed: spilled.length };
  if (head === undefined) return { ...waiting, sequence: 0 };
  const sequence = head["sequence"] as bigint;
  await put(auditChainLabel, head);
  for (const each of spilled) await put(auditSpillLabel, each);
  const places = [
    [auditBatchLabel, sequence],
    [auditCheckpointLabel, head["checkpoint_sequence"] as bigint],
  ] as const;
  for (const [label, last] of places)
    for await (const { p } of database.stream(placesText(label), placesOf(chain, last)))
      await put(label, p as Properties);
  for await (const { p } of database.stream(keysText, { chain, sequence }))
    await put(auditKeyLabel, p as Properties);
  return { ...waiting, sequence: Number(sequence) };
};
