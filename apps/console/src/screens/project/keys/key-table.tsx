import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ConfirmRemoval } from "../../../components/confirm-removal.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { displayText } from "../../../text/display-text.ts";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Instant } from "../../../components/instant.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { Author } from "../author.tsx";
import { type KeyState, keyState } from "./key-state.ts";

/** A credential, without its secret. */
export interface KeyRecord {
  readonly id: string;
  readonly kid: string;
  readonly display_name: string;
  readonly create_time: string;
  readonly created_by: string;
  readonly expire_time?: string | undefined;
}

interface KeyTableProps<Key extends KeyRecord> {
  readonly projectId: string;
  /** As "key" or "token". */
  readonly noun: string;
  readonly label: string;
  readonly keys: readonly Key[];
  readonly columns?: readonly Column<Key>[];
  /** Undefined where the role may not remove keys. */
  readonly remove: ((key: Key) => Promise<void>) | undefined;
  /** What removing one does to its callers. */
  readonly removal: string;
}

const states: Readonly<Record<KeyState, { readonly text: string; readonly tone: string }>> = {
  valid: { text: "Valid", tone: "good" },
  expiring: { text: "Expires soon", tone: "warn" },
  expired: { text: "Expired", tone: "" },
};

const KeyExpiry = ({ keyRecord, now }: { readonly keyRecord: KeyRecord; readonly now: number }) => {
  const { text, tone } = states[keyState(keyRecord, now)];
  const { expire_time: end } = keyRecord;
  return (
    <span className="record-name">
      <span className={`tag ${tone}`}>{text}</span>
      <small>{end === undefined ? "never expires" : <Instant at={end} />}</small>
    </span>
  );
};

const noColumns: readonly never[] = [];

const nameColumn = <Key extends KeyRecord>(noun: string): Column<Key> => ({
  id: "name",
  header: noun === "key" ? "Key" : "Token",
  look: "wide",
  cell: ({ display_name: name, kid }) => (
    <span className="record-name">
      <PlainText text={name} limit={120} />
      {name !== kid && (
        <small>
          <PlainText text={kid} limit={60} mono />
        </small>
      )}
    </span>
  ),
  sortBy: ({ display_name: name }) => name,
});

const ownColumns = <Key extends KeyRecord>(projectId: string, now: number): readonly Column<Key>[] => [
  {
    id: "state",
    header: "State",
    cell: (key) => <KeyExpiry keyRecord={key} now={now} />,
    // Those that never expire come after every year.
    sortBy: ({ expire_time: end }) => end ?? "9999",
  },
  {
    id: "created",
    header: "Created",
    cell: ({ create_time: at, created_by: by }) => (
      <>
        <Instant at={at} />{" "}
        <small>
          by <Author projectId={projectId} id={by} />
        </small>
      </>
    ),
    sortBy: ({ create_time: at }) => at,
  },
];

const removeColumn = <Key extends KeyRecord>(noun: string, onRemove: (key: Key) => void): Column<Key> => ({
  id: "remove",
  header: "Actions",
  cell: (key) => (
    <button
      type="button"
      className="button small"
      aria-label={`Remove the ${noun} ${displayText(key.display_name, 60)}`}
      onClick={() => onRemove(key)}
    >
      Remove
    </button>
  ),
});

/** Credentials with their expiry dates, without their secrets. */
export const KeyTable = <Key extends KeyRecord>(props: KeyTableProps<Key>) => {
  const { projectId, noun, label, keys, columns = noColumns, remove, removal } = props;
  const [toRemove, setToRemove] = useState<Key>();
  const removing = useMutation({ mutationFn: async (key: Key) => remove?.(key) });
  const all = useMemo(
    (): readonly Column<Key>[] => [
      nameColumn(noun),
      ...columns,
      ...ownColumns<Key>(projectId, Date.now()),
      ...(remove === undefined ? [] : [removeColumn<Key>(noun, setToRemove)]),
    ],
    [projectId, noun, columns, remove],
  );
  return (
    <>
      <DataTable label={label} columns={all} rows={keys} keyOf={({ id }) => id} />
      {removing.isError && <ErrorNote error={removing.error} title={`The ${noun} was not removed`} />}
      {toRemove !== undefined && (
        <ConfirmRemoval
          isOpen
          kind={noun}
          name={toRemove.display_name}
          onClose={() => setToRemove(undefined)}
          onConfirm={() => {
            removing.mutate(toRemove);
            setToRemove(undefined);
          }}
        >
          <p>{removal}</p>
        </ConfirmRemoval>
      )}
    </>
  );
};
