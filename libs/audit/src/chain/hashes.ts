import { createHash } from "node:crypto";
import { canonical } from "./canonical.ts";
import type { StoredEvent } from "./artefacts.ts";

export const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** Hash of the events of a batch, in their order. */
export const dataHash = (data: readonly StoredEvent[]): string => sha256(canonical(data));

export interface Link {
  readonly project_id: string;
  readonly sequence: number;
  readonly prev_hash: string;
  readonly data_hash: string;
  readonly batch_id: string;
}

/** Hash of a batch and of all before it. */
export const headHash = ({ project_id, sequence, prev_hash, data_hash, batch_id }: Link): string =>
  sha256([project_id, String(sequence), prev_hash, data_hash, batch_id].join("|"));
