import type { Driver } from "neo4j-driver";
import { wrapConnect } from "./driver-connections.ts";
import { openDriver, type DriverSettings } from "./driver.ts";
import { HostNotAllowedError } from "../errors.ts";

/**
 * Returns the address of a host that may be connected to.
 *
 * @throws when none may.
 */
export type ResolveHost = (host: string) => Promise<string>;

/** An address on its way into the driver's sockets: the name for certificates, the number for the connection. */
interface ServerAddress {
  host(): string;
  resolveWith(address: string): ServerAddress;
}

/**
 * A driver that connects only where `resolve` lets it, to exactly the address that was checked, whatever a name resolves to
 * the second time and whatever a routing table names. The driver has no public API for this: it resolves names
 * itself. If a later driver connects in another way, this refuses to open a connection.
 *
 * @throws Error when the address is not one of Neo4j.
 */
export const openGuardedDriver = (settings: DriverSettings, resolve: ResolveHost): Driver => {
  const driver = openDriver(settings);
  const guarded = wrapConnect(driver, (connect) => async (given, ...more) => {
    const address = given as ServerAddress; // what the driver passes
    const judged = await resolve(address.host()).catch((error: unknown) => {
      throw new HostNotAllowedError(error);
    });
    return connect(address.resolveWith(judged), ...more);
  });
  if (!guarded)
    throw new Error("this version of the Neo4j driver has no hook for the addresses that it may connect to");
  return driver;
};
