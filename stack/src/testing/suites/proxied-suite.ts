/** A suite behind a proxy, on Compose or in a cluster, as the checks of it use it. */
import type { ClientEnvironment } from "../../environment.ts";
import type { ProxyEntry } from "./proxy-client.ts";

/** What docs/operations.md has an operator set; the proxy is the one address of `TRUSTED_PROXIES`. */
export interface ProxySettings {
  readonly PUBLIC_URL: string;
  readonly TRUSTED_PROXIES: string;
}

export interface ProxiedSuite {
  /** Addresses past the proxy: they set up what a check needs, and show what it has caused. */
  readonly environment: ClientEnvironment;
  /** Clients on this machine reach the proxy here. */
  readonly entry: ProxyEntry;
  /** A client in the container of `runNode`, which has another address, reaches the proxy here. */
  readonly entryInside: Pick<ProxyEntry, "address" | "port">;
  /** These settings are the documented ones for this proxy. */
  readonly settings: ProxySettings;
  /** It ends the checks when it is aborted. */
  readonly signal: AbortSignal;
  /** Starts the suite with these additional settings, and waits until no former process answers any more. */
  readonly apply: (settings: Readonly<Record<string, string>>) => Promise<void>;
  /** Runs Node with these arguments in a container of access. @returns the lines of its output */
  readonly runNode: (...args: readonly string[]) => Promise<readonly string[]>;
  /** Reads the log of all replicas of the gateway. @returns its lines */
  readonly readGatewayLog: () => Promise<readonly string[]>;
}

/** @throws Error where a documented text lacks one of them */
export const proxySettings = (variables: Readonly<Record<string, string | undefined>>): ProxySettings => {
  const { PUBLIC_URL, TRUSTED_PROXIES } = variables;
  if (!PUBLIC_URL || !TRUSTED_PROXIES)
    throw new Error(`docs/operations.md sets ${Object.keys(variables).join(", ")} behind a proxy`);
  return { PUBLIC_URL, TRUSTED_PROXIES };
};

/** Lines `NAME=VALUE`, as of a file of variables or of `literals` of kustomize. */
export const variablesIn = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
