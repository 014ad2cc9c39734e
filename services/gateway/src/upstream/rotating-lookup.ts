import { lookup as systemLookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";

/** Milliseconds for which the addresses of a name are used before they are resolved again. */
const freshMs = 5_000;

interface Resolved {
  readonly addresses: readonly LookupAddress[];
  readonly at: number;
  /** Number of the address that the next look-up begins with. */
  next: number;
}

type Resolve = (
  name: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

const resolveBySystem: Resolve = (name, callback) => systemLookup(name, { all: true }, callback);

/** A look-up that begins with another address of a name each time, so that connections spread over all of them. */
export const rotatingLookup = (
  resolve: Resolve = resolveBySystem,
  now = () => performance.now(),
): LookupFunction => {
  const names = new Map<string, Resolved>();
  return (name, options, callback) => {
    const answer = (resolved: Resolved): void => {
      const { addresses } = resolved;
      const start = resolved.next++ % addresses.length;
      const rotated = [...addresses.slice(start), ...addresses.slice(0, start)];
      if (options.all === true) callback(null, rotated);
      else callback(null, rotated[0]?.address ?? "", rotated[0]?.family);
    };
    const former = names.get(name);
    if (former !== undefined && now() - former.at < freshMs) {
      answer(former);
      return;
    }
    resolve(name, (error, addresses) => {
      // The former addresses are most likely still right while the name service is too busy.
      if (error !== null) {
        if (former === undefined) callback(error, "");
        else answer(former);
        return;
      }
      const resolved = { addresses, at: now(), next: former?.next ?? 0 };
      names.set(name, resolved);
      answer(resolved);
    });
  };
};
