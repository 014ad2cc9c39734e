import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { types } from "node:util";

/** A file and the setting that names it. */
export interface TlsFile {
  readonly setting: string;
  readonly path: string;
}

/** Certificate and key are given together or not at all. */
export interface TlsPaths {
  readonly certificate?: TlsFile | undefined;
  readonly key?: TlsFile | undefined;
  readonly ca?: TlsFile | undefined;
}

/** As `node:tls` takes it. */
export interface TlsMaterial {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

/** A faulty file. The message is one line that names the setting and nothing of the content. */
export class TlsFileError extends Error {
  override readonly name = "TlsFileError";

  constructor({ setting, path }: TlsFile, fault: string) {
    super(`${setting}: ${path} ${fault}`);
  }
}

const codeOf = (error: unknown): string =>
  types.isNativeError(error) && "code" in error ? String(error.code) : "";

const textOf = async (file: TlsFile): Promise<string> => {
  try {
    return await readFile(file.path, "utf8");
  } catch (error) {
    throw new TlsFileError(file, `cannot be read (${codeOf(error)})`);
  }
};

const certificateIn = (file: TlsFile, text: string): X509Certificate => {
  try {
    return new X509Certificate(text);
  } catch {
    throw new TlsFileError(file, "is not a PEM certificate");
  }
};

const keyIn = (file: TlsFile, text: string): KeyObject => {
  try {
    return createPrivateKey(text);
  } catch {
    throw new TlsFileError(file, "is not an unencrypted PEM private key");
  }
};

/** Reads the whole chain, as servers do: they throw for a certificate after the first one that cannot be read. */
const requireUsable = (file: TlsFile, pair: Required<Pick<TlsMaterial, "cert" | "key">>): void => {
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new TlsFileError(file, `cannot be used (${codeOf(error)})`);
  }
};

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

const readPair = async (certificate: TlsFile, key: TlsFile): Promise<TlsMaterial> => {
  const [cert, keyText] = await Promise.all([textOf(certificate), textOf(key)]);
  const own = certificateIn(certificate, cert);
  if (!own.checkPrivateKey(keyIn(key, keyText)))
    throw new TlsFileError(key, `is not the key of ${certificate.path}`);
  if (Date.parse(own.validTo) < Date.now())
    throw new TlsFileError(certificate, `is a certificate that has expired (${own.validTo})`);
  const pair = { cert, key: keyText };
  requireUsable(certificate, pair);
  return pair;
};

const readAuthorities = async (file: TlsFile): Promise<TlsMaterial> => {
  const ca = await textOf(file);
  const blocks = ca.match(pemBlock) ?? [];
  if (blocks.length === 0) throw new TlsFileError(file, "contains no PEM certificate");
  for (const block of blocks) certificateIn(file, block);
  return { ca };
};

/** @throws TlsFileError */
export const readTlsFiles = async ({ certificate, key, ca }: TlsPaths): Promise<TlsMaterial> => ({
  ...(certificate === undefined || key === undefined ? {} : await readPair(certificate, key)),
  ...(ca === undefined ? {} : await readAuthorities(ca)),
});
