import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { testHost } from "../test-host.ts";

/** An authorization server as companies run one: it gives a client an access token for one resource (RFC 8707). */
export interface AuthorizationServer {
  readonly issuer: string;
  /** One for each client; its name is the subject of its tokens. */
  readonly clientSecret: string;
  close(): Promise<void>;
}

/**
 * Starts one on a port that the system chooses.
 *
 * @param clients names of the clients
 */
export const startAuthorizationServer = async (clients: readonly string[]): Promise<AuthorizationServer> => {
  const clientSecret = "a secret of the client that is long enough";
  let handle: RequestListener;
  const server = createServer((request, response) => handle(request, response));
  server.listen(0, testHost());
  await once(server, "listening");
  const issuer = `http://${testHost()}:${(server.address() as AddressInfo).port}`; // of TCP
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "ES256" }] },
    clients: clients.map((client_id) => ({
      client_id,
      client_secret: clientSecret,
      redirect_uris: [],
      response_types: [],
      grant_types: ["client_credentials"],
      id_token_signed_response_alg: "ES256",
    })),
    scopes: ["cars", "people"],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: "cars people",
          audience: resource,
          accessTokenFormat: "jwt",
          accessTokenTTL: 300,
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
  });
  const answer = provider.callback();
  handle = (request, response) => void answer(request, response);
  return {
    issuer,
    clientSecret,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
