import { recordField, streamKey } from "@ikg/audit";
import type { Redis } from "ioredis";
import type { Entry } from "../store/waiting-item.ts";
import { maxBatchBytes, maxBatchEvents } from "./cut.ts";

/**
 * KEYS: stream. ARGV: id after which it begins, bytes and entries at most. It looks at a few entries at a time, so that
 * no more is read than is answered; one entry is answered whatever its size.
 */
const script = `
local found, bytes, from = {}, 0, ARGV[1]
while true do
  local page = redis.call('XRANGE', KEYS[1], '(' .. from, '+', 'COUNT', 16)
  for _, entry in ipairs(page) do
    for i = 1, #entry[2], 2 do
      if entry[2][i] == '${recordField}' then bytes = bytes + #entry[2][i + 1] end
    end
    if #found > 0 and bytes > tonumber(ARGV[2]) then return {found, 1} end
    found[#found + 1] = entry
    if #found >= tonumber(ARGV[3]) then return {found, 1} end
    from = entry[1]
  end
  if #page < 16 then return {found, 0} end
end
`;

export interface EntryPage {
  readonly entries: readonly Entry[];
  /** The bound was reached: there may be more. */
  readonly full: boolean;
}

/**
 * The first entries of a chain, as many as can be in a batch.
 *
 * @param after id after which they begin.
 */
export const readEntries = async (redis: Redis, chain: string, after = "0-0"): Promise<EntryPage> => {
  const [entries, full] = (await redis.eval(
    script,
    1,
    streamKey(chain),
    after,
    maxBatchBytes,
    maxBatchEvents,
  )) as [Entry[], number]; // as the script answers
  return { entries, full: full === 1 };
};
