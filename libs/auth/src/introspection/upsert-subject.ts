import { Problem } from "@ikg/contracts";
import type { AuthLog } from "../credentials.ts";
import type { openTokenNodes } from "./token-node.ts";
import type { AcceptedToken } from "./token-verifier.ts";
import type { Counters, IntrospectedProject, IntrospectionConfig } from "./types.ts";

/** Never rejects. */
export type UpsertSubject = (
  project: IntrospectedProject["project"],
  config: IntrospectionConfig,
  accepted: AcceptedToken,
) => Promise<void>;

/** A response about an opaque token may lack `iss`, or have one of any type. */
const sourceOf = (config: IntrospectionConfig, { payload }: AcceptedToken): string => {
  const issuer = typeof payload.iss === "string" ? payload.iss : (config.opaqueMatcher?.hint ?? "");
  return config.jwtMatcher?.issuer ?? issuer;
};

/** Writes the node of a token's subject. A request does not fail because its node cannot be written. */
export const subjectUpserter = (
  writeNode: ReturnType<typeof openTokenNodes>,
  metrics: Counters,
  log: AuthLog,
): UpsertSubject => {
  const failed = metrics.counter(
    "ikg_token_nodes_failed_total",
    "Nodes of verified bearers that could not be written.",
  );
  return async (project, config, accepted) => {
    const { subject, mapped } = accepted;
    try {
      await writeNode(project, config, {
        subject,
        mapped: mapped.values,
        source: sourceOf(config, accepted),
      });
    } catch (error) {
      failed.inc({});
      log.warn("node of a token's subject could not be written", {
        configuration: config.id,
        reason: error instanceof Problem ? error.code : error instanceof Error ? error.name : "unknown",
      });
    }
  };
};
