import { types } from "node:util";

const { isNativeError } = types;

const unknownAuthority = "its certificate is from an authority that is not trusted here";

/** Error codes and messages of Node and OpenSSL: the driver of Neo4j passes on the message alone. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/\bCERT_HAS_EXPIRED\b|certificate has expired/, "its certificate has expired"],
  [/\bCERT_NOT_YET_VALID\b|certificate is not yet valid/, "its certificate is not valid yet"],
  [
    /\bERR_TLS_CERT_ALTNAME_INVALID\b|does not match certificate's altnames/,
    "its certificate is for other host names",
  ],
  [/\bINVALID_PURPOSE\b|unsuitable certificate purpose/, "its certificate is not for this use"],
  [
    /\b(UNABLE_TO_\w+|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_SIGNATURE_FAILURE)\b/,
    unknownAuthority,
  ],
  [
    /unable to (get (local )?issuer certificate|verify the first certificate)|self-signed certificate|certificate signature failure/,
    unknownAuthority,
  ],
  [
    /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)|alert (certificate required|handshake failure)/,
    "it demands a certificate, or other algorithms",
  ],
  [
    /ALERT_\w*(CERTIFICATE|CA)\b|alert (unknown ca|\w+ certificate)/,
    "it does not accept the certificate of this process",
  ],
  [
    /\bERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)\b|wrong version number|packet length too long/,
    "it does not speak TLS",
  ],
];

const maxDepth = 5;

const textsOf = (error: unknown, depth = 0): readonly string[] => {
  if (!isNativeError(error) || depth === maxDepth) return [];
  const code = "code" in error ? String(error.code) : "";
  // An AggregateError has one error per address of the host name.
  const several: readonly unknown[] = "errors" in error && Array.isArray(error.errors) ? error.errors : [];
  return [code, error.message, ...[...several, error.cause].flatMap((each) => textsOf(each, depth + 1))];
};

/**
 * Why a TLS connection was not made, in words that follow the name of the peer: "redis: its certificate has expired".
 *
 * @returns undefined for an error of another kind.
 */
export const tlsFault = (error: unknown): string | undefined => {
  const texts = textsOf(error);
  return faults.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
};
