import type { ReactNode } from "react";
import type { Column } from "../../../components/data-table.tsx";
import type { FormField, FormValues } from "../form/form-field.ts";
import type { TabName } from "../tabs.ts";
import type { CollectionName, NamedRecord } from "./use-records.ts";

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

/** Where a record of a kind is shown: a tab, or the page of agents. */
export type RecordTab = TabName | "agents";

/** How the screen of the project lists, shows and edits the records of one kind. */
export interface RecordKindView<Row extends NamedRecord> {
  readonly collection: CollectionName;
  /** What operations call one: `create_…`, `update_…`, `delete_…`. */
  readonly operation: string;
  readonly tab: RecordTab;
  /** As "resolver" and "resolvers". */
  readonly singular: string;
  readonly plural: string;
  readonly columns: readonly Column<Row>[];
  readonly fields: readonly FormField[];
  /** What a form begins with; undefined for a new record. */
  readonly valuesOf: (record: Row | undefined) => FormValues;
  /** What is sent; @throws SyntaxError for a field of JSON that holds none. */
  readonly bodyOf: (values: FormValues, isNew: boolean) => Readonly<Record<string, unknown>>;
  readonly factsOf: (record: Row) => readonly Fact[];
  /** The consequences of removing a record, as sentences. */
  readonly removal: string;
}
