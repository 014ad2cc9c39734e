/** Changes what is stored of an audit chain, as an intruder with the password of the database could: its verification has to find that. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import neo4j, { type Driver } from "neo4j-driver";
import type { OwnNeo4j } from "../settings.ts";

/** Puts back what was there. */
type Restore = () => Promise<void>;

interface StoredBatches {
  /** Replaces a part of the records of a batch, hashes and signatures stay. @throws Error if the batch has no such part. */
  replace(sequence: number, part: string, other: string): Promise<Restore>;
  /** Removes a batch with its manifest. */
  remove(sequence: number): Promise<Restore>;
}

interface Stored {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly data: Int8Array;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Int8Array =>
  new Int8Array(buffer, byteOffset, byteLength);

/** @param gid of the project whose chain it is. */
const storedBatches = (driver: Driver, gid: string): StoredBatches => {
  const run = async (text: string, parameters: Readonly<Record<string, unknown>>) =>
    (await driver.executeQuery(text, parameters, { database: "neo4j" })).records;
  const keyOf = (sequence: number): string => `${gid}@${String(sequence).padStart(15, "0")}`;
  const read = async (key: string): Promise<Stored> => {
    const [record] = await run("MATCH (n:_AuditBatch {key: $key}) RETURN properties(n) AS n", { key });
    if (record === undefined) throw new Error(`there is no batch ${key}`);
    const properties = record.get("n") as Stored["properties"]; // of a node
    return { properties, data: properties["data"] as Int8Array }; // as the audit service writes it
  };
  const setData = (key: string, data: Int8Array) =>
    run("MATCH (n:_AuditBatch {key: $key}) SET n.data = $data", { key, data });
  return {
    replace: async (sequence, part, other) => {
      const key = keyOf(sequence);
      const { data } = await read(key);
      const records = inflateRawSync(Buffer.from(data)).toString("utf8");
      if (!records.includes(part)) throw new Error(`batch ${sequence} has no ${part}`);
      await setData(key, bytesOf(deflateRawSync(Buffer.from(records.replace(part, () => other)))));
      return async () => {
        await setData(key, data);
      };
    },
    remove: async (sequence) => {
      const key = keyOf(sequence);
      const { properties } = await read(key);
      await run("MATCH (n:_AuditBatch {key: $key}) DELETE n", { key });
      return async () => {
        await run("CREATE (n:_AuditBatch) SET n = $properties", { properties });
      };
    },
  };
};

/** Does something with the stored chain of a project. */
export const withStoredBatches = async <T>(
  { uri, username, password }: OwnNeo4j,
  gid: string,
  work: (batches: StoredBatches) => Promise<T>,
): Promise<T> => {
  const driver = neo4j.driver(uri, neo4j.auth.basic(username, password));
  try {
    return await work(storedBatches(driver, gid));
  } finally {
    await driver.close();
  }
};
