/** A write of one node and two relationships, beside the same by hand and by the other library. */
import { run } from "../../../stack/src/measurement/measure.ts";
import { takeTurns, type Work } from "../../../stack/src/measurement/turns.ts";
import type { Line } from "../targets.ts";
import { besideLines } from "./beside.ts";
import { targets, plan } from "./plan.ts";
import type { Ways, WriteNote } from "./ways.ts";

/** Every note is a new one. */
const repeat = (way: string, write: WriteNote): Work => {
  let written = 0;
  const next = () => ({ id: `${way}-${written++}`, expected: true });
  return (ms) => run(async ({ id }) => (await write(id)) === id, { next }, 1, ms);
};

export const measureWrites = async ({
  driver,
  bare,
  ciq,
  gateway,
  graphql,
}: Ways): Promise<readonly Line[]> => {
  const turns = await takeTurns(
    {
      driver: repeat("driver", driver.note),
      bare: repeat("bare", bare.note),
      ciq: repeat("ciq", ciq.note),
      gateway: repeat("gateway", gateway.note),
      graphql: repeat("graphql", (id) => graphql.note(id)),
    },
    plan.rounds,
    "writes",
  );
  return besideLines("write of a node and two relationships", turns, targets.write);
};
