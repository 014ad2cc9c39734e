import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { tlsFault } from "@ikg/tls";
import type { Logger } from "../logs/log.ts";
import { repeatedReport } from "../logs/repeated-report.ts";
import type { InternalTlsSettings } from "./settings.ts";

/** Whether a request may be served, by the certificate that its connection showed. Probes are answered before. */
export type AdmitsPeer = (request: IncomingMessage) => boolean;

const isAuthorized = ({ socket }: IncomingMessage): boolean =>
  socket instanceof TLSSocket && socket.authorized;

/** Every peer, unless the settings demand certificates; refusals are logged. */
export const peersBy = (
  { INTERNAL_TLS_REQUIRE_CLIENT_CERTIFICATE: isRequired = false }: InternalTlsSettings,
  log: Pick<Logger, "error">,
): AdmitsPeer => {
  if (!isRequired) return () => true;
  const report = repeatedReport();
  return (request) => {
    if (isAuthorized(request)) return true;
    report((refused) =>
      log.error(
        "callers without a certificate of INTERNAL_TLS_CA are refused; check that the gateway and mcp have INTERNAL_TLS_CERTIFICATE",
        { refused, address: request.socket.remoteAddress },
      ),
    );
    return false;
  };
};

/** Logs in one line why connections are not made, where their TLS is the reason. */
export const handshakeReport = (log: Pick<Logger, "error">): ((error: Error) => void) => {
  const report = repeatedReport();
  return (error) => {
    const isHttp = "code" in error && error.code === "ERR_SSL_HTTP_REQUEST";
    const fault = isHttp
      ? "it speaks HTTP without TLS; check that UPSTREAM_* of the gateway and mcp are https addresses"
      : tlsFault(error);
    if (fault !== undefined)
      report((refused) => log.error(`no TLS connection from a caller: ${fault}`, { refused }));
  };
};
