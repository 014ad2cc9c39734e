import { type Gid, gidKind, isGid } from "@ikg/contracts";
import { checkUrl, type EgressRules } from "@ikg/egress";
import { integer } from "@ikg/service";
import { z } from "zod";

/** Unset and empty mean the same: containers hand on what is not set as an empty text. */
const optionalText = () =>
  z
    .string()
    .optional()
    .transform((text) => (text === "" ? undefined : text));

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

const defaultScopes = "openid profile offline_access";

const isIssuer = (text: string | undefined): boolean =>
  text === undefined || (URL.canParse(text) && /^https?:\/\/[^?#]+$/.test(text));

const isOrganization = (text: string): text is Gid => isGid(text) && gidKind(text) === "organization";

/** Settings of people who administer: whose tokens the gateway takes, and how they get them. */
export const PeopleSettings = z.object({
  OIDC_ISSUER: optionalText()
    .refine(isIssuer, { error: "http or https address without query expected" })
    .meta({
      description:
        "OpenID provider whose access tokens people administer with, exactly as its tokens name it; without it there are service accounts alone. With it `OIDC_AUDIENCE` and `OIDC_CLIENT_ID` are required.",
    }),
  OIDC_AUDIENCE: optionalText().meta({
    description:
      "Audience (`aud`) of these tokens. Must differ from `OIDC_CLIENT_ID`, so that ID tokens are not accepted.",
  }),
  OIDC_CLIENT_ID: optionalText().meta({
    description:
      "Public client that `ikg login` signs people in with, by the device flow or a loopback redirect with PKCE.",
  }),
  OIDC_SCOPES: z
    .string()
    .default(defaultScopes)
    .transform((text) => words(text).join(" ") || defaultScopes)
    .meta({ description: "Scopes that `ikg login` asks for, with spaces between them." }),
  OIDC_ORGANIZATION: optionalText()
    .transform((text, context): Gid | undefined => {
      if (text === undefined || isOrganization(text)) return text;
      context.addIssue({ code: "custom", message: "gid of an organization expected" });
      return z.NEVER;
    })
    .meta({
      description:
        "Gid of the organization that people administer; unset: the only one. While there are several and none is named, people may do nothing.",
    }),
  OIDC_ACR_VALUES: z.string().default("").transform(words).meta({
    description:
      "Authentication contexts (`acr`), with spaces between them, of which a person's token needs one; another one is 401 with a challenge (RFC 9470). Empty: any.",
  }),
  OIDC_MAX_AGE_SECONDS: integer(
    0,
    31_536_000,
    0,
    "How old a person's sign-in (`auth_time`) may be; an older one is 401 with a challenge. 0: any age.",
  ),
});

/** What a sign-in has to ask the issuer for. */
export type SignInSettings = Pick<
  z.output<typeof PeopleSettings>,
  "OIDC_SCOPES" | "OIDC_ACR_VALUES" | "OIDC_MAX_AGE_SECONDS"
>;

/** The issuer of people, complete. */
export interface PeopleIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly clientId: string;
}

/** Whether the gateway may go to the address; otherwise it would learn that only with the first token. */
const isReachable = (issuer: string, rules: EgressRules): boolean => {
  try {
    checkUrl(issuer, rules);
    return true;
  } catch {
    return false;
  }
};

/** @returns undefined without an issuer; a list of what is wrong where the settings do not fit together. */
export const peopleIssuer = (
  {
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: audience,
    OIDC_CLIENT_ID: clientId,
  }: Pick<z.output<typeof PeopleSettings>, "OIDC_ISSUER" | "OIDC_AUDIENCE" | "OIDC_CLIENT_ID">,
  rules: EgressRules,
): PeopleIssuer | undefined | readonly string[] => {
  if (issuer === undefined) return undefined;
  if (audience === undefined || clientId === undefined)
    return [
      ...(audience === undefined ? ["OIDC_AUDIENCE: required with OIDC_ISSUER"] : []),
      ...(clientId === undefined ? ["OIDC_CLIENT_ID: required with OIDC_ISSUER"] : []),
    ];
  if (audience === clientId)
    return ["OIDC_AUDIENCE: must differ from OIDC_CLIENT_ID, which is the audience of ID tokens"];
  if (!isReachable(issuer, rules))
    return [
      "OIDC_ISSUER: a public https address expected; http needs EGRESS_ALLOW_HTTP, another host EGRESS_ALLOW_HOSTS or EGRESS_ALLOW_CIDRS",
    ];
  return { issuer, audience, clientId };
};
