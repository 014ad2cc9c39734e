import type { TlsFiles } from "@ikg/tls";

/** How connections to an `https:` service are made. */
export interface UpstreamTls {
  /** Authorities, and the certificate of the gateway, where there are any of one's own. */
  readonly files: TlsFiles | undefined;
  /** Called with every error of a connection. */
  readonly onError: (error: Error) => void;
}

export const noTls: UpstreamTls = { files: undefined, onError: () => undefined };
