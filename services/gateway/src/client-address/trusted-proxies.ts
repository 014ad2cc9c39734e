import { BlockList, isIP, isIPv4 } from "node:net";

/** True for the address of a proxy whose headers about its client are used. */
export type IsTrusted = (address: string) => boolean;

const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv4(address) ? "ipv4" : "ipv6");

const entriesOf = (text: string): readonly string[] =>
  text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]));

const isEntry = (entry: string): boolean => {
  const [address = "", prefix, ...more] = entry.split("/");
  if (isIP(address) === 0 || more.length > 0) return false;
  const longest = isIPv4(address) ? 32 : 128;
  return (
    prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= longest)
  );
};

/** @returns the first entry that is neither an address nor a network; undefined for a list that can be used. */
export const wrongEntry = (text: string): string | undefined =>
  entriesOf(text).find((entry) => !isEntry(entry));

/** @param text addresses and networks (CIDR), separated by commas, as `wrongEntry` accepts them; empty: no peer's. */
export const trustedProxies = (text: string): IsTrusted => {
  const entries = entriesOf(text);
  // Called several times for every request.
  if (entries.length === 0) return () => false;
  const trusted = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    if (prefix === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(prefix), familyOf(address));
  }
  // An IPv4 address that comes mapped into IPv6 is found by its rule, too.
  return (address) => isIP(address) !== 0 && trusted.check(address, familyOf(address));
};
