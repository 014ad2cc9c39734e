import type { BodyOf, Fields, Gid, Permission, RecordDescription, RecordKind } from "@ikg/contracts";
import type { Params, Row, Transaction } from "@ikg/graph";
import type { GraphSchema, UnreadSchema, Warning } from "@ikg/policy-core/warnings";
import type { Data, StoredRecord } from "./record.ts";

/** Another record that a body names; it cannot be deleted while this one exists. */
export interface Reference {
  readonly field: string;
  readonly kind: RecordKind;
  readonly id: Gid;
}

/** The records that a body names, by field. */
export type References = ReadonlyMap<string, StoredRecord>;

/** What a collection is given when a record is created: the new id, the parent and the time. */
export interface CreateContext {
  readonly id: Gid;
  readonly parent: StoredRecord;
  readonly now: Date;
}

/** What a collection is given when a record is updated: the record, its present and next body, and the fields that the request sets. */
export interface UpdateContext<F extends Fields> {
  readonly record: StoredRecord;
  readonly current: BodyOf<F>;
  readonly body: BodyOf<F>;
  readonly suppliedFields: ReadonlySet<string>;
  readonly now: Date;
}

/** What a new record has beyond the fields of its body. */
export interface Extras {
  readonly data?: Data;
  readonly columns?: Data;
  /** Members of the 201 that are never shown again. */
  readonly once?: Data;
}

/** A key that only one record may have; `fault` is the error when another record has it already. */
export interface UniqueKey {
  readonly key: string;
  readonly fault: string;
}

/** A statement to be planned, never run; `fault` is the detail of the 422 when the database cannot. */
export interface Trial {
  readonly text: string;
  readonly fault: string;
}

/** Reads rows of the database that holds the records. */
export type ReadRows = (text: string, params: Params) => Promise<readonly Row[]>;

/** The node of a record in its project's graph. */
export interface SystemNode {
  readonly type: string;
  /** Type of the containing record's node; this node is linked to it. */
  readonly belongsTo?: string;
}

/**
 * One collection of configuration records: its description, from which validation, storage, versions, listing, reading
 * and routes follow by code that all collections share, and hooks for what only this collection needs.
 */
export interface Collection<F extends Fields = Fields> extends RecordDescription<F> {
  readonly systemNode?: SystemNode;
  /** At most this many unexpired records in one parent. */
  readonly maxLive?: number;
  /** Where `listTypes` are: the property that holds the type. */
  readonly typeProperty?: string;
  /**
   * On create: records of the organization besides the parent that the record is bound to and removed with. A project
   * among them is its project.
   */
  holders?(body: BodyOf<F>): readonly Reference[];
  /** What makes a record unique besides its name. */
  uniqueKey?(body: BodyOf<F>, scopeId: Gid): UniqueKey;
  /**
   * Permissions that the record grants to keys of an agent.
   *
   * @param current the present body, whose permissions are granted already; undefined on create.
   */
  permissionsToGrant?(
    body: BodyOf<F>,
    parent: StoredRecord | undefined,
    current: BodyOf<F> | undefined,
  ): readonly Permission[];
  /**
   * Faults that depend on the referenced records, by field, or on the time.
   *
   * @param current the present body; undefined on create.
   * @throws Problem when the answer is not a list of faults (422).
   */
  faultsInContext?(
    body: BodyOf<F>,
    references: References,
    now: Date,
    current: BodyOf<F> | undefined,
  ): readonly string[];
  /** Faults of an update while other records use this one. */
  faultsWhileReferenced?(body: BodyOf<F>): readonly string[];
  /** Statements that the database must be able to plan before the record is stored. */
  trials?(body: BodyOf<F>, references: References): readonly Trial[];
  /** Warnings for the author of a valid body. @param schema names in the graph, where they are known */
  warnings?(
    body: BodyOf<F>,
    references: References,
    parent: StoredRecord,
    schema: GraphSchema | UnreadSchema | undefined,
  ): readonly Warning[];
  /** Reserves what a new record takes of the database for good; returns the errors if it exceeds a limit. */
  reserve?(tx: Transaction, record: StoredRecord, now: Date): Promise<readonly string[]>;
  /** On create: what the record has beyond the fields of its body. */
  extrasOnCreate?(body: BodyOf<F>, context: CreateContext): Extras;
  /** On create and update: properties that follow from the body. */
  columnsOf?(body: BodyOf<F>): Data;
  /**
   * On an update of one record, after validation: properties that do not follow from the body alone.
   *
   * @throws Problem when the record cannot be changed so.
   */
  columnsOnUpdate?(tx: Transaction, context: UpdateContext<F>): Promise<Data>;
  /**
   * On an update of one record, before validation: the body to store, where the rules of its fields do not suffice.
   *
   * @param body the present body with the fields of the request, each by its rule.
   * @param current the present body.
   * @param suppliedFields the fields that the request sets.
   */
  adjustUpdate?(body: BodyOf<F>, current: BodyOf<F>, suppliedFields: ReadonlySet<string>): BodyOf<F>;
  /** Fields of an answer besides those of the description and the common ones. */
  present?(record: StoredRecord): Data;
  /**
   * On every answer: fields that another process writes while the suite runs, by record, such as when a token was last
   * used. `read` runs statements.
   */
  joinRuntimeFields?(records: readonly StoredRecord[], read: ReadRows): Promise<ReadonlyMap<Gid, Data>>;
}

/** Every collection that the service keeps, by kind. */
export type Collections = ReadonlyMap<RecordKind, Collection>;

/** Kinds from a collection up to the organization: itself, what contains it, and so on. */
export const lineage = (collections: Collections, kind: RecordKind): readonly RecordKind[] => {
  const collection = collections.get(kind);
  return collection === undefined ? [kind] : [kind, ...lineage(collections, collection.parent.kind)];
};
