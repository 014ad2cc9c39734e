/** A suite behind a proxy, however both run: what checks of it need. */
import type { Entrance } from "../environment.ts";
import type { ProxyEntry } from "./proxy-client.ts";

/** What docs/operations.md has an operator set; the proxy is the one address of `TRUSTED_PROXIES`. */
export interface ProxySettings {
  readonly PUBLIC_URL: string;
  readonly TRUSTED_PROXIES: string;
}

export interface ProxiedSuite {
  /** Past the proxy: for what is set up, and for what is read of it. */
  readonly environment: Entrance;
  /** The proxy for clients on this machine, */
  readonly entry: ProxyEntry;
  /** and for a client in the container that `runNode` runs in, whose address is another one. */
  readonly entryInside: Pick<ProxyEntry, "address" | "port">;
  readonly settings: ProxySettings;
  /** Starts the suite with these settings besides its own, until no former process answers any more. */
  readonly apply: (settings: Readonly<Record<string, string>>) => Promise<void>;
  /** Runs Node with these arguments in a container of access. @returns the lines that it has written */
  readonly runNode: (...args: readonly string[]) => Promise<readonly string[]>;
}

/** @throws Error where a documented text lacks one of them */
export const proxySettings = (found: Readonly<Record<string, string | undefined>>): ProxySettings => {
  const { PUBLIC_URL, TRUSTED_PROXIES } = found;
  if (!PUBLIC_URL || !TRUSTED_PROXIES)
    throw new Error(`docs/operations.md sets ${Object.keys(found).join(", ")} behind a proxy`);
  return { PUBLIC_URL, TRUSTED_PROXIES };
};

/** Lines `NAME=VALUE`, as of a file of variables or of `literals` of kustomize. */
export const variablesIn = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
