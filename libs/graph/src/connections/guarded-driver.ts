import type { Driver } from "neo4j-driver";
import { wrapConnect } from "./driver-connections.ts";
import { openDriver, type DriverSettings } from "./driver.ts";
import { HostNotAllowedError } from "../errors.ts";
import { limitHandshakes } from "./handshake-limit.ts";
import { limitUnsolicited } from "./unsolicited-bytes.ts";

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
 * the second time and whatever a routing table names. A server that sends very much before a statement, or without one, neither
 * blocks the process nor fills its memory. The driver has no public API for this: it resolves names
 * itself. If a later driver connects in another way, this refuses to open a connection.
 *
 * @throws Error when the address is not one of Neo4j.
 */
export const openGuardedDriver = (settings: DriverSettings, resolve: ResolveHost): Driver => {
  const driver = openDriver(settings);
  const isGuarded = wrapConnect(driver, (connect) => async (target, ...more) => {
    const address = target as ServerAddress; // what the driver passes
    const checkedAddress = await resolve(address.host()).catch((error: unknown) => {
      throw new HostNotAllowedError(error);
    });
    const connection = await connect(address.resolveWith(checkedAddress), ...more);
    limitUnsolicited(connection);
    return connection;
  });
  if (!isGuarded || !limitHandshakes())
    throw new Error("this version of the Neo4j driver has no hook for the servers that it may connect to");
  return driver;
};
