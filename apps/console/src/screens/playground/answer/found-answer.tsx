import type { EntityRef } from "@ikg/client";
import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import type { QuestionOf } from "../question/question.ts";
import { type FoundSoFar, readMore } from "./ask.ts";

interface FoundAnswerProps {
  readonly question: QuestionOf<"resources" | "subjects">;
  readonly found: FoundSoFar;
  readonly onExplain: (found: EntityRef) => void;
}

const columnsOf = (onExplain: FoundAnswerProps["onExplain"]): readonly Column<EntityRef>[] => [
  {
    id: "id",
    header: "Id",
    cell: ({ id }) => <PlainText text={id} limit={160} />,
    sortBy: ({ id }) => id,
    look: "wide",
  },
  { id: "type", header: "Type", cell: ({ type }) => <PlainText text={type} limit={80} /> },
  {
    id: "why",
    header: "Explanation",
    cell: (each) => (
      <button type="button" className="button small" onClick={() => onExplain(each)}>
        Why?
      </button>
    ),
  },
];

/** What a search found, page by page. */
export const FoundAnswer = ({ question, found: first, onExplain }: FoundAnswerProps) => {
  const [found, setFound] = useState(first);
  const more = useMutation({
    mutationFn: async () => (found.next === undefined ? found : readMore(found.next, found.items)),
    onSuccess: setFound,
  });
  const columns = useMemo(() => columnsOf(onExplain), [onExplain]);
  const isDone = found.next === undefined;
  if (found.items.length === 0 && isDone) return <NothingFound mode={question.mode} />;
  return (
    <div className="stack">
      <p role="status">
        <strong>{found.items.length}</strong> found{isDone ? "" : " so far"}
      </p>
      {!found.isComplete && (
        <Note tone="warn">
          <p>The time limit was reached before the page was full. Load the next page for the rest.</p>
        </Note>
      )}
      {found.items.length > 0 && (
        <DataTable
          label="Found"
          columns={columns}
          rows={found.items}
          keyOf={({ type, id }) => JSON.stringify([type, id])}
        />
      )}
      {more.isError && <ErrorNote error={more.error} title="Could not load the next page" />}
      {!isDone && (
        <button type="button" className="button" disabled={more.isPending} onClick={() => more.mutate()}>
          {more.isPending ? "Loading…" : "Load the next page"}
        </button>
      )}
    </div>
  );
};

const NothingFound = ({ mode }: Pick<FoundAnswerProps["question"], "mode">) => (
  <Empty title={mode === "resources" ? "No resources were found" : "No subjects were found"}>
    <p>
      {mode === "resources"
        ? "There is no resource of this type with which the subject may do this."
        : "There is no subject of this type that may do this with the resource."}
    </p>
  </Empty>
);
