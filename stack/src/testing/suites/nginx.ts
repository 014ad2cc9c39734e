/** The nginx of an operator: TLS of clients ends there; docs/operations.md says what it forwards, and how. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Authority, makeAuthority } from "../servers/certificates.ts";
import { documentedLines } from "./documented-commands.ts";

/** Where a container has the files of `withNginxFiles`. */
export const nginxFolder = "/etc/ikg-proxy";

/** The arguments of nginx. Its errors go to standard error, which is the log of a container. */
export const nginxArgs = ["-e", "stderr", "-c", `${nginxFolder}/nginx.conf`] as const;

/** The path at which nginx itself returns the address of its client. */
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
  /** Where it listens: `port` or `address:port` each. */
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
const writeFiles = async (folder: string, settings: NginxSettings, authority: Authority): Promise<void> => {
  const { certificate, key } = await authority.issue("proxy", [`DNS:${settings.host}`]);
  writeFileSync(join(folder, "nginx.conf"), configurationOf(settings));
  copyFileSync(certificate, join(folder, "tls.crt"));
  copyFileSync(key, join(folder, "tls.key"));
};

/**
 * Makes `nginxFiles` in a folder of this machine, lends them to `work`, and removes the folder.
 *
 * @param work gets the folder, and the certificate of the authority that clients have to trust, as PEM
 */
export const withNginxFiles = async <T>(
  settings: NginxSettings,
  work: (folder: string, ca: string) => Promise<T>,
): Promise<T> => {
  const authority = await makeAuthority();
  try {
    const folder = mkdtempSync(join(tmpdir(), "ikg-proxy-"));
    try {
      await writeFiles(folder, settings, authority);
      return await work(folder, readFileSync(authority.ca, "utf8"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    authority.remove();
  }
};
