import { type Breaker, type Egress, withCircuit } from "@ikg/egress";
import { type Discovery, discoveryOf } from "./discovery.ts";
import { issuerKeys } from "./issuer-keys.ts";
import { type KeyFinder, registeredKeys } from "./keys.ts";
import type { IntrospectionConfig } from "./types.ts";

/** The issuer of the tokens of one configuration. */
export interface Issuer {
  /** Calls to its addresses, through its circuit. */
  readonly egress: Egress;
  /** Absent for opaque tokens, which name no issuer. */
  readonly discovery: Discovery;
  readonly keys: KeyFinder;
}

/**
 * The issuer of one version of a configuration.
 *
 * @param run of the issuer's circuit.
 */
export const issuerOf = (
  config: IntrospectionConfig,
  egress: Egress,
  run: Breaker["run"],
  now: () => number,
): Issuer => {
  const guarded = withCircuit(egress, run);
  const discovery: Discovery =
    config.jwtMatcher === undefined
      ? () => Promise.resolve(undefined)
      : discoveryOf(config.jwtMatcher.issuer, guarded, now);
  const registered = config.offline?.publicJwks ?? [];
  const keys = registered.length > 0 ? registeredKeys(registered) : issuerKeys(discovery, guarded, now);
  return { egress: guarded, discovery, keys };
};

/** A circuit is per issuer and project, so that no project opens the circuit of another. */
export const circuitName = ({ projectId, jwtMatcher, online }: IntrospectionConfig): string => {
  const endpoint = online?.introspection?.endpoint ?? online?.userinfoEndpoint ?? "";
  return `${projectId} ${jwtMatcher?.issuer ?? URL.parse(endpoint)?.origin ?? endpoint}`;
};
