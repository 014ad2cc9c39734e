import type { TlsFile, TlsPaths } from "@ikg/tls";
import { z } from "zod";
import { flag } from "../settings/settings.ts";
import { StartError } from "../process/start-error.ts";

/** Unset and empty mean the same: containers hand on what is not set as an empty text. */
const file = (description: string) =>
  z
    .string()
    .optional()
    .transform((text) => (text === "" ? undefined : text))
    .meta({ description });

/** Certificates for calls between services. Files are read again when they change. */
export const InternalTlsSettings = z.object({
  INTERNAL_TLS_CERTIFICATE: file(
    "PEM file with the certificate of this process for calls between services, and those of intermediate authorities. A service that has one listens with TLS; the gateway and mcp show theirs to the services that they call.",
  ),
  INTERNAL_TLS_KEY: file("PEM file with the private key of that certificate, without a password."),
  INTERNAL_TLS_CA: file(
    "PEM file with the certificates of the authorities that sign these certificates. The gateway and mcp accept certificates of services from these alone. Default: the authorities that Node trusts.",
  ),
});

/** The same of a service that others call. */
export const InternalTlsServerSettings = InternalTlsSettings.extend({
  INTERNAL_TLS_REQUIRE_CLIENT_CERTIFICATE: flag(
    false,
    "Serves only callers with a certificate of `INTERNAL_TLS_CA`, apart from the probes `/healthz` and `/readyz`.",
  ),
});

export type InternalTlsSettings = Partial<z.output<typeof InternalTlsServerSettings>>;

/** The files that settings name; undefined without any. @throws StartError for settings that do not fit together. */
export const internalTlsPaths = (settings: InternalTlsSettings): TlsPaths | undefined => {
  const { INTERNAL_TLS_CERTIFICATE, INTERNAL_TLS_KEY, INTERNAL_TLS_CA } = settings;
  const faults = [
    ...(INTERNAL_TLS_CERTIFICATE !== undefined && INTERNAL_TLS_KEY === undefined
      ? ["INTERNAL_TLS_KEY: required with INTERNAL_TLS_CERTIFICATE"]
      : []),
    ...(INTERNAL_TLS_CERTIFICATE === undefined && INTERNAL_TLS_KEY !== undefined
      ? ["INTERNAL_TLS_CERTIFICATE: required with INTERNAL_TLS_KEY"]
      : []),
    ...(settings.INTERNAL_TLS_REQUIRE_CLIENT_CERTIFICATE === true
      ? (["INTERNAL_TLS_CERTIFICATE", "INTERNAL_TLS_CA"] as const)
          .filter((name) => settings[name] === undefined)
          .map((name) => `${name}: required with INTERNAL_TLS_REQUIRE_CLIENT_CERTIFICATE`)
      : []),
  ];
  if (faults.length > 0) throw new StartError(faults);
  const named = (setting: string, path: string | undefined): TlsFile | undefined =>
    path === undefined ? undefined : { setting, path };
  const paths = {
    certificate: named("INTERNAL_TLS_CERTIFICATE", INTERNAL_TLS_CERTIFICATE),
    key: named("INTERNAL_TLS_KEY", INTERNAL_TLS_KEY),
    ca: named("INTERNAL_TLS_CA", INTERNAL_TLS_CA),
  };
  return Object.values(paths).every((each) => each === undefined) ? undefined : paths;
};
