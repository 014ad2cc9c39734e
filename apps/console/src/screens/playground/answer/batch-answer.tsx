import { IkgError } from "@ikg/client";
import { useMemo } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { type Line, lineOf } from "../question/decision-line.ts";
import type { BatchRow } from "./ask.ts";

interface BatchAnswerProps {
  readonly rows: readonly BatchRow[];
  readonly onExplain: (line: Line) => void;
}

const textOf = ({ line }: BatchRow): string =>
  line.params === undefined ? lineOf(line) : `${lineOf(line)} ${JSON.stringify(line.params)}`;

const resultText = ({ result }: BatchRow): string => {
  if ("error" in result) return "not decided";
  return result.decision.decision ? "allowed" : "denied";
};

const messageOf = (error: unknown): string => {
  if (error instanceof IkgError) return error.errors[0] ?? error.summary;
  return error instanceof Error ? error.message : String(error);
};

const Result = ({ row }: { readonly row: BatchRow }) => {
  const { result } = row;
  if ("error" in result)
    return (
      <>
        <span className="tag warn">
          <Icon name="warning" />
          not decided
        </span>
        <p className="hint">
          <PlainText text={messageOf(result.error)} limit={160} />
        </p>
      </>
    );
  return result.decision.decision ? (
    <span className="tag good">
      <Icon name="check" />
      allowed
    </span>
  ) : (
    <span className="tag bad">
      <Icon name="cross" />
      denied
    </span>
  );
};

/** The decisions of a batch. */
export const BatchAnswer = ({ rows, onExplain }: BatchAnswerProps) => {
  const numbered = useMemo(() => rows.map((row, index) => ({ row, index })), [rows]);
  const columns = useMemo(
    (): readonly Column<(typeof numbered)[number]>[] => [
      {
        id: "result",
        header: "Decision",
        cell: ({ row }) => <Result row={row} />,
        sortBy: ({ row }) => resultText(row),
      },
      {
        id: "question",
        header: "Question",
        cell: ({ row }) => <PlainText text={textOf(row)} limit={160} />,
        sortBy: ({ row }) => textOf(row),
        look: "wide",
      },
      {
        id: "why",
        header: "Explanation",
        cell: ({ row }) => (
          <button type="button" className="button small" onClick={() => onExplain(row.line)}>
            Why?
          </button>
        ),
      },
    ],
    [onExplain],
  );
  const count = (text: string): number => rows.filter((row) => resultText(row) === text).length;
  const undecided = count("not decided");
  return (
    <div className="stack">
      <p role="status">
        <strong>{count("allowed")}</strong> allowed, <strong>{count("denied")}</strong> denied
        {undecided > 0 && (
          <>
            , <strong>{undecided}</strong> not decided
          </>
        )}
      </p>
      {undecided > 0 && (
        <Note tone="warn">
          <p>Some questions could not be decided; the others could. An error is not a denial.</p>
        </Note>
      )}
      <DataTable label="Decisions" columns={columns} rows={numbered} keyOf={({ index }) => String(index)} />
    </div>
  );
};
