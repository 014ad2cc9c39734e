/** Persons with three properties and their metadata, as capture writes them. */
import type { Driver } from "neo4j-driver";
import { newGid } from "@ikg/contracts";
import { countText } from "../targets.ts";
import { type Random } from "../random.ts";
import { say } from "../../../stack/launch/progress.mjs";

const batch = 5_000;
const day = 86_400_000;
const until = Date.parse("2026-06-01T00:00:00Z");

const personOf = (pk: string, type: string, i: number, random: Random) => {
  const at = (): string => new Date(until - random.integer(800) * day).toISOString();
  const id = `p${String(i).padStart(8, "0")}`;
  return {
    _key: `${pk}/${type}/${id}`,
    id: newGid("node"),
    external_id: id,
    type,
    is_identity: false,
    create_time: at(),
    update_time: at(),
    name: `Person ${i}`,
    "name.update_time": at(),
    "name.metadata.verified_time": at(),
    "name.metadata.source": "id-verifier.gov",
    email: `person${i}@example.com`,
    "email.update_time": at(),
    "email.metadata.source": "user",
    valid_until: at().slice(0, 10),
    "valid_until.update_time": at(),
  };
};

/** Writes so many nodes of a type by the raw driver. */
export const writePeople = async (
  driver: Driver,
  pk: string,
  type: string,
  count: number,
  random: Random,
): Promise<void> => {
  const started = performance.now();
  for (let at = 0; at < count; at += batch) {
    const rows = Array.from({ length: Math.min(batch, count - at) }, (_, i) =>
      personOf(pk, type, at + i, random),
    );
    await driver.executeQuery(
      `UNWIND $rows AS row CREATE (n:_Node:_P__${pk}:${type}__${pk}) SET n = row`,
      { rows },
      { database: "neo4j" },
    );
  }
  say(`${type}: ${countText(count)} nodes in ${((performance.now() - started) / 1000).toFixed(1)} s`);
};
