export {
  openTlsFiles,
  type TlsFile,
  TlsFileError,
  type TlsFiles,
  type TlsMaterial,
  type TlsPaths,
} from "./tls-files.ts";
export { tlsFault } from "./tls-fault.ts";
