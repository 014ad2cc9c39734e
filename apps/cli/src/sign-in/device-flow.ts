import { setTimeout as wait } from "node:timers/promises";
import { CommandFault } from "../command-environment.ts";
import { type PersonToken, postForm, requestTokens, TokenRefused } from "./request-tokens.ts";
import { audienceParameters, type SignInServer, strengthParameters } from "./sign-in-server.ts";

const grantType = "urn:ietf:params:oauth:grant-type:device_code";
/** Default polling interval in seconds, and its increase after `slow_down`. */
const defaultInterval = 5;
const slowDown = 5;

interface DeviceCode {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly address: string;
  readonly completeAddress: string | undefined;
  readonly intervalMs: number;
  readonly endsAt: number;
}

const requestCode = async (server: SignInServer, endpoint: string): Promise<DeviceCode> => {
  const { ok, body } = await postForm(endpoint, {
    client_id: server.clientId,
    scope: server.scope,
    ...strengthParameters(server),
    ...audienceParameters(server.audience),
  });
  const { device_code: deviceCode, user_code: userCode, verification_uri: address } = body;
  if (!ok || typeof deviceCode !== "string" || typeof userCode !== "string" || typeof address !== "string") {
    const reason = [body["error_description"], body["error"]].find((each) => typeof each === "string");
    throw new CommandFault(`${endpoint} did not issue a code: ${reason ?? "no reason given"}`);
  }
  const { verification_uri_complete: complete, interval, expires_in: seconds } = body;
  return {
    deviceCode,
    userCode,
    address,
    completeAddress: typeof complete === "string" ? complete : undefined,
    intervalMs: (typeof interval === "number" ? interval : defaultInterval) * 1_000,
    endsAt: Date.now() + (typeof seconds === "number" ? seconds : 600) * 1_000,
  };
};

/** Shows a text to the user. */
export type ShowMessage = (text: string) => void;

/**
 * Signs in a user who confirms a code in a browser on any machine (RFC 8628).
 *
 * @throws CommandFault if the user refuses, or the code expires.
 */
export const signInByDevice = async (
  server: SignInServer,
  endpoint: string,
  showMessage: ShowMessage,
  signal: AbortSignal,
): Promise<PersonToken> => {
  const code = await requestCode(server, endpoint);
  const { address, completeAddress, userCode } = code;
  const other = completeAddress === undefined ? "" : `, or open ${completeAddress}`;
  showMessage(`Open ${address} in a browser and enter ${userCode}${other}.\n`);
  let { intervalMs } = code;
  while (Date.now() < code.endsAt) {
    await wait(intervalMs, undefined, { signal });
    try {
      return await requestTokens(
        server,
        { grant_type: grantType, device_code: code.deviceCode, ...audienceParameters(server.audience) },
        signal,
      );
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      if (error.error === "slow_down") intervalMs += slowDown * 1_000;
      else if (error.error === "access_denied")
        throw new CommandFault("the sign-in was rejected in the browser");
      else if (error.error !== "authorization_pending") throw error;
    }
  }
  throw new CommandFault("the code was not confirmed in time; run ikg login again");
};
