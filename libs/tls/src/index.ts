export { type TlsFile, TlsFileError, type TlsMaterial, type TlsPaths } from "./read-tls-files.ts";
export { openTlsFiles, type TlsFiles } from "./tls-files.ts";
export { tlsFault } from "./tls-fault.ts";
