import { canonical } from "./canonical.ts";
import type { StoredEvent } from "./artefacts.ts";

const utf8 = new TextEncoder();

/** SHA-256 of the UTF-8 bytes of a text, as 64 hexadecimal digits. By WebCrypto, which browsers have as well. */
export const sha256 = async (text: string): Promise<string> => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Hash of the events of a batch, in their order. */
export const dataHash = async (data: readonly StoredEvent[]): Promise<string> => sha256(canonical(data));

export interface Link {
  readonly project_id: string;
  readonly sequence: number;
  readonly prev_hash: string;
  readonly data_hash: string;
  readonly batch_id: string;
}

/** Hash of a batch and of all before it. */
export const headHash = ({ project_id, sequence, prev_hash, data_hash, batch_id }: Link): Promise<string> =>
  sha256([project_id, String(sequence), prev_hash, data_hash, batch_id].join("|"));
