import { randomBytes } from "node:crypto";
import { createServer } from "node:https";
import type { Certificate } from "./certificate.ts";
import { closing, type Handled, json, listening, withBody } from "./key-service.ts";

/** Google's identities: the workload's own token is exchanged for one, and that for one of an account that it may be. */
export interface GoogleIdentity {
  readonly address: string;
  /** What a workload outside of Google's cloud finds in the file that `GOOGLE_APPLICATION_CREDENTIALS` names. */
  readonly credentials: (subjectTokenFile: string) => object;
  /** The token that a workload is given by its own platform. */
  readonly subjectToken: string;
  /** The token of the account. */
  readonly accountToken: string;
  /** Calls so far, without their secrets. */
  readonly calls: string[];
  /** Whether the workload may be the account. */
  mayImpersonate: boolean;
  close(): Promise<void>;
}

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Security Token Service (RFC 8693) and IAM Service Account Credentials, at one address. */
export const startGoogleIdentity = async (certificate: Certificate): Promise<GoogleIdentity> => {
  const token = (): string => randomBytes(24).toString("hex");
  const [subjectToken, workloadToken, accountToken] = [token(), token(), token()];
  const audience = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q";
  const handle: Handled = (request, response, body) => {
    const answer = (status: number, content: object): void =>
      json(response, status, "application/json", content);
    const path = decodeURIComponent(request.url ?? "");
    if (path === "/v1/token") {
      const form = new URLSearchParams(body);
      identity.calls.push(`exchange ${form.get("scope")}`);
      const known =
        form.get("grant_type") === exchangeGrant &&
        form.get("audience") === audience &&
        form.get("subject_token") === subjectToken;
      if (!known) answer(400, { error: "invalid_grant", error_description: "no" });
      else answer(200, { access_token: workloadToken, token_type: "Bearer", expires_in: 3_600 });
      return;
    }
    const { scope = [], lifetime } = JSON.parse(body) as { scope?: string[]; lifetime?: string }; // as the SDK sends it
    identity.calls.push(`${path} ${scope.join()} ${lifetime}`);
    if (request.headers.authorization !== `Bearer ${workloadToken}` || !identity.mayImpersonate)
      answer(403, { error: { code: 403, status: "PERMISSION_DENIED", message: "no" } });
    else answer(200, { accessToken: accountToken, expireTime: new Date(Date.now() + 900_000).toISOString() });
  };
  const server = createServer(certificate, withBody(handle));
  const port = await listening(server, "localhost");
  const address = `https://localhost:${port}`;
  const identity: GoogleIdentity = {
    address,
    credentials: (file) => ({
      type: "external_account",
      audience,
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: `${address}/v1/token`,
      credential_source: { file },
    }),
    subjectToken,
    accountToken,
    calls: [],
    mayImpersonate: true,
    close: () => closing(server),
  };
  return identity;
};
