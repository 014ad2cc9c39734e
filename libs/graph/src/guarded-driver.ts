import type { Driver } from "neo4j-driver";
import { openDriver, type DriverSettings } from "./driver.ts";
import { HostRefused } from "./errors.ts";

/**
 * Says which address of a host may be connected to.
 *
 * @throws when none may.
 */
export type ResolveHost = (host: string) => Promise<string>;

/** An address on its way into the driver's sockets: the name for certificates, the number for the connection. */
interface ServerAddress {
  host(): string;
  resolveWith(address: string): ServerAddress;
}

/** The one place of the driver through which every connection goes, those to members of a cluster included. */
const door = "_createChannelConnection";

type Connect = (address: ServerAddress) => Promise<unknown>;

/**
 * A driver that connects only where `resolve` lets it, to exactly the address that was judged, whatever a name answers
 * the second time and whatever a routing table names. The driver has no public way to say so: the look-up of a name
 * is its own. Should a later driver have another door, this refuses instead of leaving it open.
 *
 * @throws Error when the address is not one of Neo4j.
 */
export const openGuardedDriver = (settings: DriverSettings, resolve: ResolveHost): Driver => {
  const driver = openDriver(settings);
  const open: unknown = Reflect.get(driver, "_getOrCreateConnectionProvider");
  const provider: unknown = typeof open === "function" ? Reflect.apply(open, driver, []) : undefined;
  const connect: unknown = provider instanceof Object ? Reflect.get(provider, door) : undefined;
  if (!(provider instanceof Object) || typeof connect !== "function")
    throw new Error("this version of the Neo4j driver cannot be told where it may connect");
  const guarded: Connect = async (address) => {
    const judged = await resolve(address.host()).catch((error: unknown) => {
      throw new HostRefused(error);
    });
    return Reflect.apply(connect, provider, [address.resolveWith(judged)]);
  };
  Reflect.set(provider, door, guarded);
  return driver;
};
