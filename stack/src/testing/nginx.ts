/** The nginx of an operator: TLS of clients ends there; docs/operations.md says what it forwards, and how. */
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "./certificates.ts";
import { documentedLines } from "./documented-commands.ts";

/** Where a container has the files of `writeNginxFiles`. */
export const nginxFolder = "/etc/ikg-proxy";

/** What follows the program's name; errors go where the logs of a container are. */
export const nginxArgs = ["-e", "stderr", "-c", `${nginxFolder}/nginx.conf`] as const;

/** The path at which nginx itself answers with the address of its client. */
export const clientAddressPath = "/client-address";

/** The upstream of the documentation: the port of Compose on the machine of the proxy. */
const documentedUpstream = "http://127.0.0.1:8080";

/** The documented block `location /`, with the gateway at another address. */
const documentedLocation = (upstream: string): string => {
  const text = documentedLines("For nginx:").join("\n");
  if (!text.includes(documentedUpstream))
    throw new Error(`the nginx block of docs/operations.md does not forward to ${documentedUpstream}`);
  return text.replace(documentedUpstream, upstream);
};

/** Every path below /tmp, so that nginx may run without root and with a read-only root file system. */
const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
  .map((name) => `  ${name}_temp_path /tmp/${name};`)
  .join("\n");

export interface NginxSettings {
  /** `port`, or `address:port`, each. */
  readonly listen: readonly string[];
  /** The gateway as the proxy reaches it, `http://host:port`. */
  readonly upstream: string;
  /** The name by which clients call the suite. */
  readonly host: string;
}

const configurationOf = ({ listen, upstream, host }: NginxSettings): string => `daemon off;
pid /tmp/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
${temporary}
  server {
${listen.map((each) => `    listen ${each} ssl;`).join("\n")}
    server_name ${host};
    ssl_certificate ${nginxFolder}/tls.crt;
    ssl_certificate_key ${nginxFolder}/tls.key;
    location = ${clientAddressPath} { return 200 $remote_addr; }
${documentedLocation(upstream)}
  }
}
`;

/** The files of `nginxFolder`. */
export const nginxFiles = ["nginx.conf", "tls.crt", "tls.key"] as const;

/** Writes `nginxFiles` into a folder of this machine. */
export const writeNginxFiles = (
  folder: string,
  settings: NginxSettings,
  { certificate, key }: Certificate,
): void => {
  writeFileSync(join(folder, "nginx.conf"), configurationOf(settings));
  copyFileSync(certificate, join(folder, "tls.crt"));
  copyFileSync(key, join(folder, "tls.key"));
};
