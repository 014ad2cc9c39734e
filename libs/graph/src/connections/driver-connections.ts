import type { Driver } from "neo4j-driver";
import { memberOf } from "./driver-members.ts";

/** The one method of the driver through which every connection is opened, those to members of a cluster included. */
const connectMember = "_createChannelConnection";

type Connect = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Wraps the function by which a driver connects. The driver has no public way to do so.
 *
 * @param around given that function; what it returns is called instead.
 * @returns false for a version of the driver that connects elsewhere: nothing was changed.
 */
export const wrapConnect = (driver: Driver, around: (connect: Connect) => Connect): boolean => {
  const open = memberOf(driver, "_getOrCreateConnectionProvider");
  const provider: unknown = typeof open === "function" ? Reflect.apply(open, driver, []) : undefined;
  const connect = memberOf(provider, connectMember);
  if (!(provider instanceof Object) || typeof connect !== "function") return false;
  Reflect.set(
    provider,
    connectMember,
    around((...args) => Reflect.apply(connect, provider, args)),
  );
  return true;
};
