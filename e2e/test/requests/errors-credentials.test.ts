import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import type { Body } from "../../src/configuration/collections.ts";
import { createAgent } from "../../src/configuration/create-agent.ts";
import { createCredential } from "../../src/configuration/create-credential.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import {
  account,
  parents,
  question,
  evaluation,
  search,
  dataPlane,
  withKey,
  post,
  sendBearer,
  forbidden,
  bodiesWith,
  useErrorProject,
  describeRows,
} from "../../src/fixtures/error-cases.ts";
import { asAccount, type Account } from "../../src/requests/account.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import type { Refusal } from "../../src/requests/envelope.ts";
import { send } from "../../src/requests/send.ts";
import { createTokenIssuer, type TokenIssuer } from "../../src/tokens/token-issuer.ts";

/**
 * Every 401 and 403 of docs/errors.md through the gateway, with exactly its envelope. Bearer tokens of users are in
 * bearer-errors.
 */
let viewer: Account;
let issuer: TokenIssuer;
let expired: { key: string; token: string; at: number };
let revoked: { key: string; token: string };
/** Keys of agents that have every permission of the data plane but one, by that one. */
const keysWithout = new Map<string, string>();

const accountToken = async (service_account_id: string, more: Body = {}) => {
  const { id, ...made } = await openAdmin(undefined, account).serviceAccountCredentials.create({
    service_account_id,
    ...more,
  });
  return { id, token: (made["service_account_config"] as { token: string }).token };
};

useErrorProject();
beforeAll(async () => {
  viewer = { ...account, token: (await accountToken(parents.accountId)).token };
  issuer = await createTokenIssuer(parents.projectId);

  const at = Date.now() + 1_500;
  const expire_time = new Date(at).toISOString();
  const { key } = await createCredential(parents.agentId, expire_time);
  expired = { key, token: (await accountToken(parents.accountId, { expire_time })).token, at };
  const [lostKey, lostToken] = [
    await createCredential(parents.agentId),
    await accountToken(parents.accountId),
  ];
  await openAdmin().agentCredentials.delete(lostKey.id);
  await openAdmin().serviceAccountCredentials.delete(lostToken.id);
  revoked = { key: lostKey.key, token: lostToken.token };
  const permissions = ["Capture", "Authorization", "ContXIQ"] as const;
  for (const permission of permissions) {
    const granted = permissions.filter((name) => name !== permission);
    keysWithout.set(permission, (await createAgent(parents.applicationId, granted)).key);
  }
  await savePolicy(parents.projectId, {
    policy: {
      meta: { policy_version: "3.0-kbac" },
      subject: { type: "Person" },
      actions: ["STRICT"],
      resource: { type: "Car" },
      condition: { cypher: "MATCH (subject:Person)-[:OWNS]->(resource:Car)" },
    },
  });
}, 60_000);

const keyRefused: Refusal = {
  status: 401,
  message: "client key missing or not valid",
  challenge: "ClientKey",
};
const tokenRefused: Refusal = {
  status: 401,
  message: "service account token not valid",
  challenge: 'Bearer error="invalid_token"',
};

const untilExpired = (): Promise<void> => pause(Math.max(0, expired.at - Date.now() + 20));

describeRows([
  [
    "401: /configs: no bearer",
    [
      [
        "a list",
        () => sendBearer("/configs/v1/projects", undefined),
        { status: 401, message: "administrator token required", challenge: "Bearer" },
      ],
      [
        "an agent's key alone",
        () => withKey("/configs/v1/projects", {}),
        { status: 401, message: "administrator token required", challenge: "Bearer" },
      ],
    ],
  ],
  [
    "401: /configs: unknown, revoked or expired token",
    [
      ["unknown", () => sendBearer("/configs/v1/projects", `${account.token}x`), tokenRefused],
      ["an agent's key", () => sendBearer("/configs/v1/projects", parents.key), tokenRefused],
      [
        "revoked",
        () =>
          eventually(
            () => sendBearer("/configs/v1/projects", revoked.token),
            ({ status }) => status !== 200,
          ),
        tokenRefused,
      ],
      [
        "expired",
        async () => {
          await untilExpired();
          return sendBearer("/configs/v1/projects", expired.token);
        },
        tokenRefused,
      ],
    ],
  ],
  [
    "401: Data plane: key missing, malformed, unknown, revoked, expired",
    [
      ["missing", () => inParallel(dataPlane, ([path, json]) => send(path, { json })), keyRefused],
      ["malformed", () => bodiesWith("x"), keyRefused],
      [
        "unknown",
        () => bodiesWith(`${parents.key.slice(0, -1)}${parents.key.endsWith("0") ? 1 : 0}`),
        keyRefused,
      ],
      ["a service account's token", () => bodiesWith(account.token), keyRefused],
      ["revoked", () => bodiesWith(revoked.key), keyRefused],
      [
        "expired",
        async () => {
          await untilExpired();
          return bodiesWith(expired.key);
        },
        keyRefused,
      ],
    ],
  ],
  [
    "403: 3.0-kbac with a bearer whose subject is not the requested one",
    [
      [
        "evaluation and search",
        async () => {
          const bearer = { headers: { Authorization: `Bearer ${await issuer.sign("bob")}` } };
          const json = { ...question, action: { name: "STRICT" } };
          return inParallel([evaluation, search], (path) => withKey(path, { ...bearer, json }));
        },
        forbidden("bearer token subject differs from requested subject"),
      ],
    ],
  ],
  [
    "403: missing api_permissions",
    dataPlane.map(([path, json, permission]) => [
      path,
      () => post(path, json, keysWithout.get(permission)),
      { status: 403, message: expect.stringContaining(permission) as unknown as string },
    ]),
  ],
  [
    "403: viewer writes",
    (["POST", "PUT", "DELETE"] as const).map((method) => [
      method,
      () => {
        const path = method === "POST" ? "/applications" : `/applications/${parents.applicationId}`;
        return asAccount(viewer, path, { method, ...(method === "DELETE" ? {} : { json: {} }) });
      },
      forbidden("the service account may only read"),
    ]),
  ],
]);
