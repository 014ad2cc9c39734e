import { respond } from "@ikg/service";
import type { RequestHandler } from "express";
import type { AnonymousLimit } from "./anonymous-limit.ts";
import { publicPath } from "./public-path.ts";

/** Where a client finds what decides, and under which addresses (AuthZEN 1.0, section 9). */
export interface Metadata {
  /** The well-known name stands between host and path of the base. */
  readonly path: string;
  readonly document: Readonly<Record<string, string>>;
}

/** @param base address under which clients reach the gateway, without a slash at the end. */
export const metadataOf = (base: string): Metadata => {
  const { pathname } = new URL(base);
  return {
    path: `/.well-known/authzen-configuration${pathname === "/" ? "" : pathname}`,
    document: {
      policy_decision_point: base,
      access_evaluation_endpoint: `${base}/access/v1/evaluation`,
      access_evaluations_endpoint: `${base}/access/v1/evaluations`,
      search_subject_endpoint: `${base}/access/v1/search/subject`,
      search_resource_endpoint: `${base}/access/v1/search/resource`,
      search_action_endpoint: `${base}/access/v1/search/action`,
    },
  };
};

/** Public: it contains nothing that needs a credential. */
export const metadata = (base: string, limit: AnonymousLimit): RequestHandler => {
  const { path, document } = metadataOf(base);
  return publicPath(path, "authzen_configuration", limit, (_request, response) =>
    respond(response, 200, document, { "Cache-Control": "max-age=300" }),
  );
};
