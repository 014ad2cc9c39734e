import { lookup as resolve, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { EgressError } from "./egress-error.ts";

/** Exceptions of a deployment: without them only public addresses are allowed. */
interface EgressHosts {
  /** Host names that are allowed although they look internal. Their addresses must be allowed all the same. */
  readonly allowHosts: readonly string[];
  /** Address ranges that are allowed although they are not public, such as `10.1.0.0/16`. */
  readonly allowCidrs: readonly string[];
}

/** Exceptions of a deployment for HTTP. */
export interface EgressRules extends EgressHosts {
  /** Allows http as well as https. */
  readonly allowHttp: boolean;
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** In a public range, but the address of the platform agent of a cloud provider. */
const platformAddress = "168.63.129.16";

/** All IPv6 addresses that are assigned. Deprecated forms that embed an IPv4 address (`::7f00:1`) are outside of it. */
const globalUnicast: Range = [ipaddr.IPv6.parse("2000::"), 3];

const parseRange = (cidr: string): Range => {
  const [address, bits] = ipaddr.parseCIDR(cidr);
  return [address, bits];
};

/** True for an address that may be called: public unicast, or in a range that the deployment opened. */
export const addressCheck = (rules: EgressRules): ((address: string) => boolean) => {
  const ranges = rules.allowCidrs.map(parseRange);
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    // `process` unwraps IPv4-mapped IPv6, so that ::ffff:127.0.0.1 is checked as 127.0.0.1.
    const parsed = ipaddr.process(address);
    const within = ([range, bits]: Range): boolean =>
      range.kind() === parsed.kind() && parsed.match(range, bits);
    if (ranges.some(within)) return true;
    if (parsed.range() !== "unicast" || parsed.toString() === platformAddress) return false;
    return parsed.kind() === "ipv4" || within(globalUnicast);
  };
};

const isInternalName = (host: string): boolean =>
  host === "localhost" || /\.(?:localhost|local|internal)$/.test(host) || !host.includes(".");

/** @param host in lower case: host names are case-insensitive. */
const isListed = (host: string, { allowHosts }: EgressRules): boolean =>
  allowHosts.some((listed) => listed.toLowerCase() === host);

/** Checks a host before anything is resolved. Literal addresses are never looked up. */
const isAllowedHost = (host: string, rules: EgressRules): boolean =>
  isIP(host) !== 0
    ? addressCheck(rules)(host)
    : host !== "" && (!isInternalName(host) || isListed(host, rules));

/** The canonical form of a host: without the brackets of IPv6 and the dots of the root. */
const canonicalHost = (host: string): string => host.replace(/^\[|\]$/g, "").replace(/\.+$/, "");

const isAllowedPort = (port: string): boolean => {
  const number = Number(port);
  return port === "" || number === 80 || number === 443 || (number >= 1024 && number <= 65_535);
};

/**
 * Parses and checks an address before anything is resolved.
 *
 * @throws EgressError `blocked_address`.
 */
export const checkUrl = (text: string, rules: EgressRules): URL => {
  const url = URL.parse(text);
  const schemes = rules.allowHttp ? ["https:", "http:"] : ["https:"];
  if (url === null || !schemes.includes(url.protocol) || !isAllowedPort(url.port))
    throw new EgressError("blocked_address");
  if (url.username !== "" || url.password !== "") throw new EgressError("blocked_address");
  if (!isAllowedHost(canonicalHost(url.hostname), rules)) throw new EgressError("blocked_address");
  return url;
};

export type Resolver = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const system: Resolver = (host, done) => resolve(host, { all: true }, done);

/**
 * A name look-up for connections that gives an address only if every address of the name is allowed. The connection
 * goes to exactly the address that was checked, which defeats DNS rebinding.
 */
export const guardedLookup = (rules: EgressRules, resolver: Resolver = system): LookupFunction => {
  const allowed = addressCheck(rules);
  return (host, options, done) => {
    resolver(host, (error, addresses) => {
      const first = addresses?.[0];
      if (error !== null) done(error, "", 0);
      else if (first === undefined || !addresses.every(({ address }) => allowed(address)))
        done(new EgressError("blocked_address"), "", 0);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
};

/**
 * The rules for connections that are not HTTP: gives the address to connect to instead of a name.
 *
 * @throws EgressError `blocked_address`; the error of the look-up.
 */
export const guardedAddress = (
  rules: EgressHosts,
  resolver?: Resolver,
): ((host: string) => Promise<string>) => {
  const all: EgressRules = { ...rules, allowHttp: false };
  const lookup = guardedLookup(all, resolver);
  return (text) =>
    new Promise((resolve, reject) => {
      const host = canonicalHost(text.toLowerCase());
      if (!isAllowedHost(host, all)) reject(new EgressError("blocked_address"));
      else if (isIP(host) !== 0) resolve(host);
      else
        lookup(host, {}, (error, address) => {
          // Without `all` the result is one address.
          if (error === null && typeof address === "string") resolve(address);
          else reject(error ?? new EgressError("blocked_address"));
        });
    });
};
