import { isIPv6 } from "node:net";

const mapped = "::ffff:";
/** Groups of 16 bits in the prefix of a network: 64 bits, what one subscriber is usually given (RFC 6177). */
const prefixGroups = 4;

/**
 * Whom limits of an address are counted for: an IPv4 address itself, also where it comes mapped into IPv6, and the /64
 * network of an IPv6 address, whose owner can use every address in it.
 */
export const clientNetwork = (address: string | undefined): string => {
  if (address === undefined) return "";
  if (address.startsWith(mapped) && address.includes(".")) return address.slice(mapped.length);
  if (!isIPv6(address)) return address;
  const [before = "", after] = (address.split("%")[0] ?? "").split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...tail];
  return `${groups.slice(0, prefixGroups).join(":")}::/64`;
};
