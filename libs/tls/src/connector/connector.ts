import type { LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { TlsFiles } from "../tls-files.ts";

export interface ConnectorParts {
  /** Milliseconds for the connection. */
  readonly timeout: number;
  readonly lookup?: LookupFunction;
  /** Authorities, and the certificate of this process, where there are any of one's own. */
  readonly files: TlsFiles | undefined;
  /** Called with every error of a connection. */
  readonly onError: (error: Error) => void;
}

/** A connector for undici that uses the certificates of now for every new connection. */
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
  // A new one also forgets the sessions that the former certificates were judged for.
  files?.onChange(() => (connect = build()));
  return (target, callback) => {
    // The name of the address is the one that a certificate has to have, whatever `Host` a request carries.
    const unnamed = { ...target };
    delete unnamed.servername;
    connect(unnamed, (...result) => {
      if (result[0] !== null) onError(result[0]);
      callback(...result);
    });
  };
};
