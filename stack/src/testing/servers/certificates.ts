/** Certificates of private authorities, made by openssl. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../../launch/user-error.mjs";
import { runProgram } from "../../../launch/run-program.mjs";

/** Files of a certificate. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

export interface Authority {
  /** The file of its own certificate. */
  readonly ca: string;
  /**
   * @param name of the files.
   * @param hosts as subjectAltName lists them, `DNS:localhost`.
   * @param days -1 for one that has expired.
   */
  issue(name: string, hosts: readonly string[], days?: number): Promise<Certificate>;
  remove(): void;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

const openssl = async (...args: readonly string[]): Promise<void> => {
  const { code, tail } = await runProgram("openssl", args);
  if (code !== 0) throw new UserError([`openssl ${args[0]} failed.`, ...tail.slice(-5)].join("\n"));
};

/** Makes an authority in a folder of its own. */
export const makeAuthority = async (): Promise<Authority> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-authority-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const file = (name: string): string => join(folder, name);
  const [ca, caKey] = [file("ca.crt"), file("ca.key")];
  await openssl(
    "req",
    "-x509",
    ...newKey,
    ...["-days", "2", "-subj", "/CN=private authority", "-keyout", caKey, "-out", ca],
  ).catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    ca,
    issue: async (name, hosts, days = 2) => {
      const [certificate, key, request] = [file(`${name}.crt`), file(`${name}.key`), file(`${name}.csr`)];
      const names = [
        "-addext",
        `subjectAltName=${hosts.join(",")}`,
        "-addext",
        "basicConstraints=critical,CA:FALSE",
      ];
      await openssl(
        "req",
        "-new",
        ...newKey,
        "-subj",
        `/CN=${name}`,
        ...names,
        "-keyout",
        key,
        "-out",
        request,
      );
      const by = ["-CA", ca, "-CAkey", caKey, "-copy_extensions", "copy", "-days", String(days)];
      await openssl("x509", "-req", "-in", request, ...by, "-out", certificate);
      return { certificate, key };
    },
    remove,
  };
};
