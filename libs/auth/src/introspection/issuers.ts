import { LRUCache } from "lru-cache";
import { type Breaker, type Egress, isOwnFailure, openBreaker } from "@ikg/egress";
import type { AuthLog } from "../credentials.ts";
import { circuitName, type Issuer, issuerOf } from "./issuer.ts";
import type { Counters, IntrospectionConfig } from "./types.ts";

const maxIssuers = 1_000;

/** The issuers of configurations; configurations of the same issuer in a project share a circuit. */
export interface Issuers {
  of(config: IntrospectionConfig): Issuer;
  close(): void;
}

export interface IssuersParts {
  readonly egress: Egress;
  readonly log: AuthLog;
  readonly metrics: Counters;
  /** Milliseconds. */
  readonly now: () => number;
}

export const openIssuers = ({ egress, log, metrics, now }: IssuersParts): Issuers => {
  const issuers = new LRUCache<string, Issuer>({ max: maxIssuers });
  const breakers = new LRUCache<string, Breaker>({
    max: maxIssuers,
    dispose: (breaker) => breaker.shutdown(),
  });
  const opened = metrics.counter(
    "ikg_issuer_circuits_opened_total",
    "How often the circuit of a token issuer opened.",
  );

  const breakerOf = (name: string): Breaker => {
    const known = breakers.get(name);
    if (known !== undefined) return known;
    const breaker = openBreaker(
      `issuer ${name}`,
      { capacity: 32, ignores: isOwnFailure },
      {
        onOpen: (circuit) => {
          opened.inc({});
          log.warn("circuit open", { circuit });
        },
      },
    );
    breakers.set(name, breaker);
    return breaker;
  };

  return {
    of: (config) => {
      const id = `${config.id}/${config.version}`;
      const known = issuers.get(id);
      if (known !== undefined) return known;
      // The circuit is looked up for every call: one that was evicted is made again.
      const issuer = issuerOf(config, egress, (action) => breakerOf(circuitName(config)).run(action), now);
      issuers.set(id, issuer);
      return issuer;
    },
    close: () => {
      for (const breaker of breakers.values()) breaker.shutdown();
    },
  };
};
