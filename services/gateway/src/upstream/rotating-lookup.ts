import { lookup as systemLookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";

/** How long the addresses of a name are taken for its addresses. */
const freshMs = 5_000;

interface Known {
  readonly addresses: readonly LookupAddress[];
  readonly at: number;
  next: number;
}

type Resolve = (
  name: string,
  found: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

const byTheSystem: Resolve = (name, found) => systemLookup(name, { all: true }, found);

/** A look-up that begins with another address of a name each time, so that connections spread over all of them. */
export const rotatingLookup = (
  resolve: Resolve = byTheSystem,
  now = () => performance.now(),
): LookupFunction => {
  const names = new Map<string, Known>();
  return (name, options, found) => {
    const answer = (known: Known): void => {
      const start = known.next++ % known.addresses.length;
      const turned = [...known.addresses.slice(start), ...known.addresses.slice(0, start)];
      if (options.all === true) found(null, turned);
      else found(null, turned[0]?.address ?? "", turned[0]?.family);
    };
    const kept = names.get(name);
    if (kept !== undefined && now() - kept.at < freshMs) {
      answer(kept);
      return;
    }
    resolve(name, (error, addresses) => {
      // A name service that is too busy for the moment ends nothing: the addresses of before are most likely still right.
      if (error !== null) {
        if (kept === undefined) found(error, "");
        else answer(kept);
        return;
      }
      const known = { addresses, at: now(), next: kept?.next ?? 0 };
      names.set(name, known);
      answer(known);
    });
  };
};
