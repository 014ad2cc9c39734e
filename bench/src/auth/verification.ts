/** A bearer that was never seen, judged by introspection, beside the one call that it cannot do without. */
import { jwtVerify } from "jose";
import { type IntrospectionConfig, type IntrospectionParts, openIntrospection } from "@ikg/auth";
import { median } from "../../../stack/src/measurement/statistics.ts";
import { claimsMapping, type Issuer } from "./issuer.ts";

export interface VerificationFigures {
  /** milliseconds of one judgement by introspection */
  readonly introspection: number;
  /** milliseconds of one `jwtVerify` with the same key */
  readonly bare: number;
  /** median of the ratios of the rounds */
  readonly ratio: number;
}

const rounds = 150;
const tokensOfRound = 50;
const warmUpRounds = 10;
const skewSeconds = 60;

/** Tokens that are verified by a registered key concern no store and no issuer. */
const parts = {
  service: "bench",
  settings: {
    TOKEN_CLOCK_SKEW_SECONDS: skewSeconds,
    EGRESS_ALLOW_HTTP: false,
    EGRESS_ALLOW_HOSTS: [],
    EGRESS_ALLOW_CIDRS: [],
    TOKEN_SEALING_KEY: new Uint8Array(32),
  },
  graph: {} as IntrospectionParts["graph"], // only for nodes of subjects, which the configuration does not ask for
  redis: {} as IntrospectionParts["redis"], // only for answers of issuers, who are not asked
  log: { warn: () => undefined },
  metrics: { counter: () => ({ inc: () => undefined }) },
} satisfies IntrospectionParts;

const configOf = ({ issuer, audience, jwk }: Issuer): IntrospectionConfig => ({
  id: "bench",
  version: 1,
  createTime: "2026-01-01T00:00:00.000Z",
  projectId: "bench",
  jwtMatcher: { issuer, audience },
  offline: { publicJwks: [JSON.stringify(jwk)] },
  claimsMapping,
  subClaim: "sub",
  nodeType: "Person",
  performUpsert: false,
});

/** Milliseconds of one call, as the mean over the tokens, one after the other. */
const timeOf = async (
  tokens: readonly string[],
  verify: (token: string) => Promise<unknown>,
): Promise<number> => {
  const started = performance.now();
  for (const token of tokens) await verify(token);
  return (performance.now() - started) / tokens.length;
};

/** Both judge the same tokens, in turns of which each begins with the other one. */
export const measureVerification = async (issuer: Issuer): Promise<VerificationFigures> => {
  const introspection = openIntrospection(parts);
  const project = {
    // The key of a project only goes into the nodes of subjects.
    project: { id: "bench", pk: "bench000" },
    introspects: [configOf(issuer)],
  } as unknown as Parameters<typeof introspection.introspect>[1];
  const options = {
    issuer: issuer.issuer,
    audience: issuer.audience,
    algorithms: ["RS256"],
    requiredClaims: ["sub", "exp"],
    clockTolerance: skewSeconds,
  };
  const ours = (token: string) => introspection.introspect(token, project, Date.now());
  const bare = (token: string) => jwtVerify(token, issuer.publicKey, options);
  const found: { ours: number; bare: number }[] = [];
  try {
    for (let round = -warmUpRounds; round < rounds; round++) {
      const tokens = await Promise.all(Array.from({ length: tokensOfRound }, () => issuer.sign()));
      const times = { ours: 0, bare: 0 };
      for (const way of round % 2 === 0 ? (["ours", "bare"] as const) : (["bare", "ours"] as const))
        times[way] = await timeOf(tokens, way === "ours" ? ours : bare);
      if (round >= 0) found.push(times);
    }
  } finally {
    await introspection.close();
  }
  return {
    introspection: median(found.map((each) => each.ours)),
    bare: median(found.map((each) => each.bare)),
    ratio: median(found.map((each) => each.ours / each.bare)),
  };
};
