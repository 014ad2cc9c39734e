import { Link } from "@tanstack/react-router";
import { Empty } from "../../../components/empty.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import type { RecordTab } from "./record-kind-view.ts";

interface ListedKind {
  readonly tab: RecordTab;
  readonly singular: string;
  readonly plural: string;
}

/** Agents are listed with their applications. */
const listOf = ({ tab, plural }: ListedKind) =>
  tab === "agents" ? ({ tab: "applications", plural: "applications" } as const) : { tab, plural };

/** The way from a record to all of its kind. */
export const BackToList = ({ kind }: { readonly kind: ListedKind }) => {
  const { tab, plural } = listOf(kind);
  return (
    <p>
      <Link to="/project/$tab" params={{ tab }}>
        All {plural}
      </Link>
    </p>
  );
};

interface AbsentRecordProps {
  readonly kind: ListedKind;
  readonly name: string;
}

export const AbsentRecord = ({ kind, name }: AbsentRecordProps) => (
  <Empty title={`There is no such ${kind.singular}`}>
    <p>
      None is called <PlainText text={name} limit={80} mono />. It may have been removed, or be in another
      project, or its name is mistyped.
    </p>
    <BackToList kind={kind} />
  </Empty>
);
