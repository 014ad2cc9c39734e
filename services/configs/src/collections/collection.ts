import type { Gid } from "@ikg/contracts";
import type { RecordKind } from "@ikg/physical";
import type { z } from "zod";
import type { Fields, StoredRecord } from "../records/record.ts";

/** What a create body must hold whatever its collection. */
export interface CreateBody {
  readonly name?: string | undefined;
  readonly display_name?: string | undefined;
  readonly description?: string | undefined;
}

/** Another record that a body names; it cannot be deleted while this one exists. */
export interface Reference {
  readonly field: string;
  readonly kind: RecordKind;
  readonly id: Gid;
}

/** What a body makes of itself: fields as stored, and what only the answer to this request carries. */
export interface Content {
  readonly data: Fields;
  readonly text?: string;
  readonly columns?: Fields;
  /** Members of the 201 that are never shown again. */
  readonly once?: Fields;
}

/** What is known when a record is made: its id, what contains it, and the moment. */
export interface Making {
  readonly id: Gid;
  readonly parent: StoredRecord;
  readonly now: Date;
}

/** Something that may exist once; `fault` says so when it exists already. */
export interface Once {
  readonly key: string;
  readonly fault: string;
}

/** A statement to be planned, never run; `fault` is the detail of the 422 when the database cannot. */
export interface Trial {
  readonly text: string;
  readonly fault: string;
}

/** The node of a record in its project's graph (runtime specification 6.2). */
export interface SystemNode {
  readonly type: string;
  /** Type of the containing record's node; this node is linked to it. */
  readonly belongsTo?: string;
}

/**
 * One collection of configuration records: what is accepted, where it belongs, what it refers to, how it is
 * stored and shown. Validation, storage, listing, deletion and routes are the same code for all of them.
 */
export interface Collection<B extends CreateBody = CreateBody> {
  readonly kind: RecordKind;
  /** Path below `/configs/v1`. */
  readonly path: string;
  /** What operation ids call one record, and several. */
  readonly singular: string;
  readonly plural: string;
  /** All faults of a body that can be seen without the store. */
  readonly request: z.ZodType<B>;
  /** The containing record; deleting it deletes this one. */
  readonly parent: { readonly kind: RecordKind; readonly field: string; of(body: B): Gid };
  /** Where a name is unique and what a list is asked for by. */
  readonly scope: "organization" | "project";
  /** False for credentials: no name, no read by name, no versions. */
  readonly named: boolean;
  /** Field that holds the large text, which lists leave out unless they are asked for it. */
  readonly textField?: "policy" | "query";
  readonly systemNode?: SystemNode;
  /** At most this many unexpired records in one parent. */
  readonly maxLive?: number;
  /** Filter of a list by the query parameter `type`: the values and the property that holds them. */
  readonly types?: { readonly values: readonly string[]; readonly property: string };
  references?(body: B): readonly Reference[];
  once?(body: B, scopeId: Gid): Once;
  /**
   * Faults that can only be seen now: in the light of the referenced records, by field, or of the clock.
   *
   * @throws Problem when the answer is not a list of faults (422).
   */
  judge?(body: B, references: ReadonlyMap<string, StoredRecord>, now: Date): readonly string[];
  /** Statements that the database must be able to plan before the record is kept. */
  trials?(body: B, references: ReadonlyMap<string, StoredRecord>): readonly Trial[];
  content(body: B, making: Making): Content;
  /** The collection's own fields of an answer; the common ones are added. */
  present(record: StoredRecord): Fields;
}
