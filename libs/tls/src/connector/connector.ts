import type { LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { TlsFiles } from "../tls-files.ts";

export interface ConnectorParts {
  /** Milliseconds for the connection. */
  readonly timeout: number;
  readonly lookup?: LookupFunction;
  /** Own authorities, and the certificate of this process; undefined for none. */
  readonly files: TlsFiles | undefined;
  /** Called with every error of a connection. */
  readonly onError: (error: Error) => void;
}

/** A connector for undici that uses the current certificates for every new connection. */
export const openConnector = ({
  timeout,
  lookup,
  files,
  onError,
}: ConnectorParts): buildConnector.connector => {
  const build = (): buildConnector.connector =>
    buildConnector({
      allowH2: false,
      timeout,
      ...(lookup === undefined ? {} : { lookup }),
      ...files?.current(),
    });
  let connect = build();
  // A new connector also drops TLS sessions that were established with the former certificates.
  files?.onChange(() => (connect = build()));
  return (target, callback) => {
    // The certificate is checked for the host of the address, whatever `Host` header a request has.
    const unnamed = { ...target };
    delete unnamed.servername;
    connect(unnamed, (...result) => {
      if (result[0] !== null) onError(result[0]);
      callback(...result);
    });
  };
};
