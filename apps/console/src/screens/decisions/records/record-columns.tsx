import { Link } from "@tanstack/react-router";
import type { Column } from "../../../components/data-table.tsx";
import { Instant } from "../../../components/instant.tsx";
import type { DecisionsSearch } from "../decisions-search.ts";
import type { Results } from "../replay/replay-run.ts";
import { VerdictTag } from "../replay/verdict-tag.tsx";
import { verdicts } from "../replay/verdicts.ts";
import { ActorText } from "./actor-text.tsx";
import type { Names } from "./names.ts";
import { PolicyText } from "./policy-text.tsx";
import { RecordTitle } from "./record-title.tsx";
import type { RecordRow } from "./record-row.ts";
import { ResultTag } from "./result-tag.tsx";

const verdictColumn = (results: Results): Column<RecordRow> => ({
  id: "verdict",
  header: "Today",
  cell: ({ key }) => {
    const result = results.get(key);
    return result === undefined ? null : <VerdictTag result={result} />;
  },
  sortBy: ({ key }) => {
    const result = results.get(key);
    return result === undefined ? -1 : verdicts.indexOf(result.verdict);
  },
});

/** @param search the list that a record leads back to. */
export const recordColumns = (
  names: Names,
  search: DecisionsSearch,
  results: Results | undefined,
): readonly Column<RecordRow>[] => [
  {
    id: "what",
    header: "What",
    look: "wide",
    cell: (row) => (
      <Link to="/decisions/record" search={{ ...search, id: row.record.id }}>
        <RecordTitle row={row} names={names} />
      </Link>
    ),
  },
  {
    id: "result",
    header: "Result",
    cell: ({ result }) => <ResultTag result={result} />,
    sortBy: ({ result }) => result,
  },
  ...(results === undefined ? [] : [verdictColumn(results)]),
  { id: "time", header: "Time", cell: ({ time }) => <Instant at={time} />, sortBy: ({ time }) => time },
  {
    id: "policy",
    header: "Granted by",
    cell: ({ grantedBy }) => (grantedBy === undefined ? null : <PolicyText id={grantedBy} names={names} />),
  },
  { id: "actor", header: "Called by", cell: ({ record }) => <ActorText record={record} names={names} /> },
];
