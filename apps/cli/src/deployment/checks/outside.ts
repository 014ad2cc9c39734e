import type { IkgAdmin } from "@ikg/client";
import { type Finding, ok, problem } from "../finding.ts";
import { probe } from "../probe.ts";

/** Tests an external address that the suite calls, from this computer. */
const reach = async (check: string, url: string, advice: string): Promise<Finding> => {
  // A path may contain placeholders, so only the host is tested.
  const origin = URL.canParse(url) ? new URL(url).origin : undefined;
  if (origin === undefined) return problem(check, `${url} is not an address`, advice);
  const { failure } = await probe(origin, { method: "HEAD" });
  return failure === undefined
    ? ok(check, `${origin} is reachable from this computer`)
    : problem(check, `${origin} is not reachable from this computer: ${failure}`, advice);
};

const issuerAdvice =
  "tokens of its users may be rejected: check the issuer, or register its keys for offline validation";
const resolverAdvice = "its values may be missing: check the address, and that the suite can reach it";

interface Introspect {
  readonly name: string;
  readonly jwt_matcher?: { readonly issuer: string } | undefined;
  readonly offline_validation?: { readonly public_jwks?: readonly string[] | undefined } | undefined;
  readonly online_validation?: object | undefined;
}

/** The address that the suite fetches for an introspect; undefined if the keys are registered. */
const addressOf = ({
  jwt_matcher,
  offline_validation,
  online_validation,
}: Introspect): string | undefined => {
  const endpoints = Object.entries(online_validation ?? {}).filter(([name]) => name.endsWith("_endpoint"));
  const [endpoint] = endpoints.map(([, value]) => value as unknown);
  if (typeof endpoint === "string" && endpoint !== "") return endpoint;
  return (offline_validation?.public_jwks?.length ?? 0) > 0 ? undefined : jwt_matcher?.issuer;
};

export const checkOutside = async (admin: IkgAdmin): Promise<readonly Finding[]> => {
  const [introspects, resolvers] = await Promise.all([admin.introspects.list(), admin.resolvers.list()]);
  return Promise.all([
    ...introspects.map((each): Promise<Finding> => {
      const check = `issuer ${each.name}`;
      const address = addressOf(each);
      return address === undefined
        ? Promise.resolve(ok(check, "its keys are registered"))
        : reach(check, address, issuerAdvice);
    }),
    ...resolvers.map(({ name, url }) => reach(`resolver ${name}`, url, resolverAdvice)),
  ]);
};
