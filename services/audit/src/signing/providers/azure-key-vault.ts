import type { JsonWebKey } from "node:crypto";
import type { SignatureAlgorithm } from "@ikg/audit";
import type { ActiveSigning } from "../active-signing.ts";
import { type Signer, type SigningFailure, SigningFault, unsupportedKeyMessage } from "../signer.ts";
import { remoteSigner } from "./remote-key.ts";

export interface AzureSettings {
  /** Hosts of vaults may end in these besides Microsoft's own. */
  readonly hostSuffixes: readonly string[];
  /** Address of the authority that issues tokens, of another cloud than the public one. */
  readonly authorityHost: string | undefined;
}

const ownSuffixes = [".vault.azure.net", ".managedhsm.azure.net"];

const isOwn = (host: string): boolean => ownSuffixes.some((suffix) => host.endsWith(suffix));

/** The address of a key; a customer must not point the signer at anything but a vault. */
const addressOf = (keyResource: string, suffixes: readonly string[]) => {
  const url = URL.parse(keyResource);
  const [, keys, name, version, ...rest] = url?.pathname.split("/") ?? [];
  const good =
    url?.protocol === "https:" &&
    keys === "keys" &&
    name !== undefined &&
    name !== "" &&
    rest.length === 0 &&
    (isOwn(url.hostname) || suffixes.some((suffix) => url.hostname.endsWith(suffix)));
  if (url === null || !good || name === undefined)
    throw new SigningFault("not_found", "key_resource is not the address of a key in a vault");
  return { vault: url.origin, host: url.hostname, name, version };
};

const algorithmOf = (kty: string | undefined, curve: string | undefined): SignatureAlgorithm => {
  if (kty === "RSA" || kty === "RSA-HSM") return "PS256";
  if ((kty === "EC" || kty === "EC-HSM") && curve === "P-256") return "ES256";
  if ((kty === "EC" || kty === "EC-HSM") && curve === "P-384") return "ES384";
  throw new SigningFault("unsupported_key", unsupportedKeyMessage);
};

const reasonOf = (status: number | undefined): SigningFailure => {
  switch (status) {
    case 401:
    case 403:
      return "access_denied";
    case 404:
      return "not_found";
    case 400:
      return "unsupported_key";
    case 429:
      return "throttled";
    default:
      return "unavailable";
  }
};

const statusOf = (error: unknown): number | undefined => {
  const status: unknown = error instanceof Error ? Reflect.get(error, "statusCode") : undefined;
  return typeof status === "number" ? status : undefined;
};

/** The authority has answered, and refuses the client's credential: the library says so by the error's cause. */
const isRefusedClient = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === "AuthenticationRequiredError" &&
  error.cause instanceof Error &&
  error.cause.name === "ServerError";

const classify = (error: unknown): SigningFault => {
  const name = error instanceof Error ? error.name : "";
  const status = statusOf(error);
  const reason = isRefusedClient(error) ? "access_denied" : reasonOf(status);
  return new SigningFault(reason, `Azure Key Vault: ${name || "unknown"} ${status ?? ""}`.trimEnd());
};

const text = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString("base64url");

/** A key in a vault of Azure. */
export const openAzureKeyVault =
  ({ hostSuffixes, authorityHost }: AzureSettings) =>
  async ({ keyResource = "", kid = "", authParams }: ActiveSigning): Promise<Signer> => {
    const { vault, host, name, version } = addressOf(keyResource, hostSuffixes);
    const { tenant_id, client_id, client_secret } = authParams;
    if (tenant_id === undefined || client_id === undefined || client_secret === undefined)
      throw new SigningFault("access_denied", "auth_params need tenant_id, client_id and client_secret");
    // The library refuses it before any call, by an error that does not say what it is about.
    if (!/^[0-9A-Za-z.-]+$/.test(tenant_id))
      throw new SigningFault("access_denied", "tenant_id is neither the id nor a domain of a tenant");
    const [{ CryptographyClient, KeyClient }, { ClientSecretCredential }] = await Promise.all([
      import("@azure/keyvault-keys"),
      import("@azure/identity"),
    ]);
    const retryOptions = { maxRetries: 0 };
    const credential = new ClientSecretCredential(tenant_id, client_id, client_secret, {
      retryOptions,
      ...(authorityHost === undefined ? {} : { authorityHost, disableInstanceDiscovery: true }),
    });
    // The challenge of a vault names Microsoft's domain, which is not that of another cloud's vault.
    const options = { retryOptions, disableChallengeResourceVerification: !isOwn(host) };
    const keys = new KeyClient(vault, credential, options);
    const signing = new CryptographyClient(keyResource, credential, options);
    return remoteSigner(
      {
        form: "jose",
        describe: async (abortSignal) => {
          const { key } = await keys.getKey(name, {
            abortSignal,
            ...(version === undefined || version === "" ? {} : { version }),
          });
          const alg = algorithmOf(key?.kty, key?.crv);
          const parts =
            alg === "PS256"
              ? { kty: "RSA", n: text(key?.n), e: text(key?.e) }
              : { kty: "EC", crv: key?.crv, x: text(key?.x), y: text(key?.y) };
          return { alg, key: parts as JsonWebKey }; // checked by the caller
        },
        signDigest: async (digest, alg, abortSignal) =>
          (await signing.sign(alg, digest, { abortSignal })).result,
        classify,
        close: () => undefined,
      },
      kid,
    );
  };
