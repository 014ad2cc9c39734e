import type { Driver } from "neo4j-driver";

/** The one place of the driver through which every connection goes, those to members of a cluster included. */
const door = "_createChannelConnection";

type Connect = (...given: readonly unknown[]) => Promise<unknown>;

/**
 * Puts something around how a driver connects. The driver has no public way to say so.
 *
 * @param around given how the driver connects; what it returns is called instead.
 * @returns false for a version of the driver that connects elsewhere: nothing was changed.
 */
export const wrapConnect = (driver: Driver, around: (connect: Connect) => Connect): boolean => {
  const open: unknown = Reflect.get(driver, "_getOrCreateConnectionProvider");
  const provider: unknown = typeof open === "function" ? Reflect.apply(open, driver, []) : undefined;
  const connect: unknown = provider instanceof Object ? Reflect.get(provider, door) : undefined;
  if (!(provider instanceof Object) || typeof connect !== "function") return false;
  Reflect.set(
    provider,
    door,
    around((...given) => Reflect.apply(connect, provider, given)),
  );
  return true;
};
