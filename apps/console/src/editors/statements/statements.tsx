import type { UseQueryResult } from "@tanstack/react-query";
import { Empty } from "../../components/empty.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Loading } from "../../components/loading.tsx";
import type { Statement } from "./plan.ts";
import { StatementCard } from "./statement-card.tsx";

interface StatementsProps {
  /** As "policy" or "query". */
  readonly kind: string;
  readonly query: Pick<UseQueryResult<readonly Statement[]>, "data" | "error" | "refetch">;
}

/** What the suite runs for a text, and what it costs. */
export const Statements = ({ kind, query: { data, error, refetch } }: StatementsProps) => {
  if (error !== null)
    return (
      <ErrorNote error={error} title={`Could not create the preview of this ${kind}`} onRetry={refetch} />
    );
  if (data === undefined) return <Loading what="the preview" />;
  if (data.length === 0)
    return (
      <Empty title="Nothing runs">
        <p>The suite sends no statement for this {kind}.</p>
      </Empty>
    );
  return data.map((statement, index) => (
    <StatementCard key={`${index} ${statement.purpose}`} statement={statement} />
  ));
};
