import { randomBytes } from "node:crypto";
import { generateKeyPair, SignJWT } from "jose";
import { expect, it } from "@jest/globals";
import { withKey } from "../../src/data-plane.ts";
import { long } from "../../src/long.ts";
import { slowDecision } from "../../src/neighbours/heavy-tenant.ts";
import { statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { type Answer, send } from "../../src/send.ts";
import { createTokenIssuer } from "../../src/token-issuer.ts";

const neighbours = useNeighbours();

/** Requests of the storm, and how many of them wait at once. */
const requests = long(600, 10_000);
const atOnce = 40;

/** Sends requests, so many at once. */
const storm = async (ask: (number: number) => Promise<Answer>): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let number = next++; number < requests; number = next++) answers.push(await ask(number));
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return answers;
};

const refused = (answers: readonly Answer[]): void => {
  process.stdout.write(`heavy tenant: ${JSON.stringify(statusesOf(answers))}\n`);
  const others = answers.filter(({ status }) => status !== 401 && status !== 429);
  expect(statusesOf(others)).toEqual({});
};

it("a storm of forged tokens is refused and costs the light tenant no answer", async () => {
  const { heavy } = neighbours;
  const { issuer, audience } = await createTokenIssuer(heavy.projectId);
  const { privateKey } = await generateKeyPair("ES256");
  const forge = (): Promise<string> =>
    new SignJWT({ iss: issuer, aud: audience, sub: "heavy", exp: Math.floor(Date.now() / 1_000) + 300 })
      .setProtectedHeader({ alg: "ES256", kid: randomBytes(8).toString("hex") })
      .sign(privateKey);
  const tokens = await Promise.all(Array.from({ length: 200 }, forge));
  const { result, faults } = await neighbours.beside(() =>
    storm((number) =>
      withKey(
        "/access/v1/evaluation",
        { key: heavy.key, bearer: tokens[number % tokens.length] },
        { json: slowDecision },
      ),
    ),
  );
  refused(result);
  expect(faults).toEqual([]);
}, 240_000);

it("a storm of unknown keys is refused and costs the light tenant no answer", async () => {
  const { result, faults } = await neighbours.beside(() =>
    storm(() =>
      send("/access/v1/evaluation", {
        headers: { "X-SVC-ClientKey": `ak1_${randomBytes(40).toString("base64url")}` },
        json: slowDecision,
      }),
    ),
  );
  refused(result);
  expect(faults).toEqual([]);
}, 240_000);
