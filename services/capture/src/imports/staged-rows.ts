import type { UpsertNode, UpsertRelationship } from "@ikg/contracts";
import { promisify } from "node:util";
import { constants, deflate, inflate } from "node:zlib";

/** A row as it is staged: the number of its line, and its content. */
export type StagedRow<T> = readonly [line: number, item: T];

const compress = promisify(deflate);
const expand = promisify(inflate);

type StoredProperty = NonNullable<UpsertNode["properties"]>[number];

/** JSON has no maps; custom metadata is one, so that a key may be called anything. */
const withoutMap = (property: StoredProperty): unknown => {
  const { metadata } = property;
  return metadata?.custom_metadata === undefined
    ? property
    : {
        ...property,
        metadata: { ...metadata, custom_metadata: [...metadata.custom_metadata] },
      };
};

const hasMap = ({ properties = [] }: UpsertNode): boolean =>
  properties.some(({ metadata }) => metadata?.custom_metadata !== undefined);

/** The text of a node that is to be staged. */
export const nodeText = (line: number, node: UpsertNode): string =>
  JSON.stringify([line, hasMap(node) ? { ...node, properties: node.properties?.map(withoutMap) } : node]);

/** The text of a relationship that is to be staged. */
export const relationshipText = (line: number, relationship: UpsertRelationship): string =>
  JSON.stringify([line, relationship]);

/** The compressed text of rows. */
export const packRows = async (text: Buffer): Promise<Int8Array> => {
  const packed = await compress(text, { level: constants.Z_BEST_SPEED });
  return new Int8Array(packed.buffer, packed.byteOffset, packed.length);
};

const unpack = async (data: Int8Array): Promise<unknown> =>
  JSON.parse((await expand(Buffer.from(data.buffer, data.byteOffset, data.length))).toString());

const withMap = (property: StoredProperty): StoredProperty =>
  property.metadata?.custom_metadata === undefined
    ? property
    : {
        ...property,
        metadata: { ...property.metadata, custom_metadata: new Map(property.metadata.custom_metadata) },
      };

/** The nodes of a chunk, as `packRows` of `nodeText` left them. */
export const unpackNodes = async (data: Int8Array): Promise<readonly StagedRow<UpsertNode>[]> => {
  const rows = (await unpack(data)) as StagedRow<UpsertNode>[]; // as this file wrote them
  return rows.map(([line, node]) => [
    line,
    hasMap(node) ? { ...node, properties: node.properties?.map(withMap) } : node,
  ]);
};

/** The relationships of a chunk. */
export const unpackRelationships = async (
  data: Int8Array,
): Promise<readonly StagedRow<UpsertRelationship>[]> =>
  (await unpack(data)) as StagedRow<UpsertRelationship>[]; // as this file wrote them
