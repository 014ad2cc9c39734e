import type { KnowledgeQueryRecord } from "@ikg/client";
import { Link } from "@tanstack/react-router";
import type { Column } from "../../../components/data-table.tsx";
import { JsonOnly } from "../../../editors/record-editor/json-only.tsx";
import { textOf } from "../../../text/json.ts";
import { PlainText } from "../../../components/plain-text.tsx";
import { changedColumn, RecordName, statusColumn } from "../../../editors/record-editor/record-columns.tsx";
import { effectsOf, formOfText, upsertsOf } from "../draft/query-form.ts";
import type { PolicyNames } from "../draft/readable.ts";
import { useHasDraft } from "../draft/use-query-draft.ts";

export interface QueryRow {
  readonly record: KnowledgeQueryRecord;
  /** Name of its policy; undefined while it is read, and where it cannot be. */
  readonly policy: string | undefined;
  readonly isReading: boolean;
  /** Paths that it returns. */
  readonly returns: readonly string[];
  /** Names of what it writes. */
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  /** False: its text is no form, and says nothing here. */
  readonly isRead: boolean;
}

export const rowOf = (record: KnowledgeQueryRecord, names: PolicyNames, isReading: boolean): QueryRow => {
  const form = formOfText(record.query);
  const upserts = [form?.upsert_nodes, form?.upsert_relationships].flatMap((json) => upsertsOf(json ?? ""));
  return {
    record,
    policy: names.get(record.policy_id),
    isReading,
    returns: form === undefined ? [] : [...form.nodes, ...form.relationships, ...form.aggregate_values],
    writes: upserts.flatMap(({ name, type }) => textOf(type) || textOf(name) || []),
    deletes: effectsOf(record.query).deletes,
    isRead: form !== undefined,
  };
};

export const searchedText = ({ record, policy = "", returns, writes, deletes }: QueryRow): string =>
  [record.name, record.display_name, policy, ...returns, ...writes, ...deletes].join(" ");

const Name = ({ record }: QueryRow) => (
  <RecordName record={record} hasDraft={useHasDraft(record.project_id, record.name)}>
    <Link to="/queries/$query" params={{ query: record.name }}>
      <PlainText text={record.name} limit={120} />
    </Link>
  </RecordName>
);

const Texts = ({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) =>
  texts.length === 0 ? null : (
    <span>
      <span className="soft">{title}</span> <PlainText text={texts.join(", ")} limit={160} />
    </span>
  );

export const queryColumns: readonly Column<QueryRow>[] = [
  {
    id: "name",
    header: "Query",
    cell: (row) => <Name {...row} />,
    sortBy: ({ record }) => record.name,
  },
  {
    id: "content",
    header: "What it does",
    look: "wide",
    cell: ({ isRead, returns, writes, deletes }) =>
      isRead ? (
        <span className="query-content">
          <Texts title="writes" texts={writes} />
          <Texts title="deletes" texts={deletes} />
          <Texts title="returns" texts={returns} />
        </span>
      ) : (
        <JsonOnly />
      ),
  },
  {
    id: "policy",
    header: "Under the policy",
    cell: ({ policy, isReading }) =>
      policy === undefined ? (
        <span className="hint">{isReading ? "loading…" : "could not be loaded"}</span>
      ) : (
        <Link to="/policies/$policy" params={{ policy }}>
          <PlainText text={policy} limit={80} />
        </Link>
      ),
    sortBy: ({ policy = "" }) => policy,
  },
  statusColumn,
  changedColumn,
];
