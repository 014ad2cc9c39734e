/** Storms of decisions with invalid credentials. */
import { randomBytes } from "node:crypto";
import { generateKeyPair, SignJWT } from "jose";
import type { Tenant } from "../../configuration/tenant.ts";
import { withKey } from "../../requests/data-plane.ts";
import { type Answer, send } from "../../requests/send.ts";
import { createTokenIssuer } from "../../tokens/token-issuer.ts";
import { slowDecision } from "../heavy-tenant.ts";
import { statusesOf } from "../limit-refusal.ts";

/** Sends a number of requests. */
export type Storm = (requests: number) => Promise<readonly Answer[]>;

/** Requests that wait for an answer at one time. */
const atOnce = 40;

/** Sends a number of requests, `atOnce` at a time. */
const storm = async (
  requests: number,
  ask: (number: number) => Promise<Answer>,
): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let number = next++; number < requests; number = next++) answers.push(await ask(number));
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return answers;
};

/**
 * Prepares tokens of an issuer that the tenant trusts, signed by a key that is not its own.
 *
 * @returns sends requests with these tokens
 */
export const prepareForgedTokens = async ({ projectId, key }: Tenant): Promise<Storm> => {
  const { issuer, audience } = await createTokenIssuer(projectId);
  const { privateKey } = await generateKeyPair("ES256");
  const forge = (): Promise<string> =>
    new SignJWT({ iss: issuer, aud: audience, sub: "heavy", exp: Math.floor(Date.now() / 1_000) + 300 })
      .setProtectedHeader({ alg: "ES256", kid: randomBytes(8).toString("hex") })
      .sign(privateKey);
  const tokens = await Promise.all(Array.from({ length: 200 }, forge));
  return (requests) =>
    storm(requests, (number) =>
      withKey(
        "/access/v1/evaluation",
        { key, bearer: tokens[number % tokens.length] },
        { json: slowDecision },
      ),
    );
};

/** Sends requests, each with a different key that does not exist. */
export const sendUnknownKeys: Storm = (requests) =>
  storm(requests, () =>
    send("/access/v1/evaluation", {
      headers: { "X-SVC-ClientKey": `ak1_${randomBytes(40).toString("base64url")}` },
      json: slowDecision,
    }),
  );

/** Statuses other than the refusals of such requests, and how often each came. */
export const otherStatuses = (answers: readonly Answer[]): Readonly<Record<string, number>> =>
  statusesOf(answers.filter(({ status }) => status !== 401 && status !== 429));
