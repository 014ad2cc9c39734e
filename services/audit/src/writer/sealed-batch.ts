import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { auditPlaceKey, auditSpillPlace } from "@ikg/physical";
import { type KeyRing, open, seal } from "@ikg/secrets";
import type { ChainState, SpilledBatch } from "../store/chain-state.ts";

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Key of a sealed batch of a chain; the first one that waits has the number 0. */
export const spillKey = ({ project, spill }: ChainState, number: number): string =>
  auditPlaceKey(project, spill.first + number);

/** Seals events at the end of what waits of a chain; they open at this place alone, so that none can change its place. */
export const sealBatch = async (
  keys: KeyRing,
  state: ChainState,
  events: readonly string[],
): Promise<SpilledBatch> => {
  const key = spillKey(state, state.spill.count);
  const text = Buffer.from(`[${events.join(",")}]`, "utf8");
  const sealed = seal(keys, auditSpillPlace(key), (await deflate(text, { level: 1 })).toString("base64"));
  return { key, records: events.length, bytes: text.length, sealed };
};

/** Text of the array of events. @throws Error when it was changed, or no key opens it */
export const openBatch = async (keys: KeyRing, { key, sealed }: SpilledBatch): Promise<string> => {
  const bytes = await inflate(Buffer.from(open(keys, auditSpillPlace(key), sealed), "base64"));
  return bytes.toString("utf8");
};
