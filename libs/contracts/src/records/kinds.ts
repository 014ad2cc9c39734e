import type { GidKind } from "../gid.ts";

/** Kinds of configuration records. */
export type RecordKind = Exclude<GidKind, "node" | "relationship" | "import" | "change">;
