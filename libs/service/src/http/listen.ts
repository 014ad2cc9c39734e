import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { errorCode } from "../process/error-code.ts";
import { StartError } from "../process/start-error.ts";

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 lets the system choose one. */
  readonly port: number;
  /** Name of the setting with the port. */
  readonly setting: string;
}

const faultText = (error: Error, { host, port, setting }: ListenAddress): string => {
  const code = errorCode(error);
  if (code === "EADDRINUSE") return `port ${port} on ${host} is in use; end what uses it or set ${setting}`;
  if (code === "EACCES") return `port ${port} on ${host} may not be opened by this user; set ${setting}`;
  return `cannot listen on ${host} port ${port}: ${error.message}`;
};

/**
 * Listens on a TCP port.
 *
 * @param onNotAccepted called for each connection that the system cannot accept later, as without free file descriptors. Node
 *   reports it as an error of the server, which would end the process without a listener.
 * @returns the port.
 * @throws StartError when the server cannot listen there.
 */
export const listen = (
  server: Server,
  address: ListenAddress,
  onNotAccepted: (error: Error) => void,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const onFault = (cause: Error): void => reject(new StartError([faultText(cause, address)], cause));
    server.once("error", onFault).listen(address.port, address.host, () => {
      server.off("error", onFault).on("error", onNotAccepted);
      // An AddressInfo, since the server listens on a port and not on a socket file.
      resolve((server.address() as AddressInfo).port);
    });
  });
