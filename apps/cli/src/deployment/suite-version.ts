import type { Connection } from "../connection/connection.ts";
import { addressOf } from "./probe.ts";

const timeoutMs = 5_000;

/** The version in the readiness response of the gateway, even if it is not ready; undefined if there is none. */
export const suiteVersion = async (connection: Connection): Promise<string | undefined> => {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(addressOf(connection, "/readyz"), { redirect: "manual", signal });
    const { version } = (await response.json()) as { readonly version?: unknown }; // or another server
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
};
