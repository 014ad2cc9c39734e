import { Link } from "@tanstack/react-router";
import { PlainText } from "../../../components/plain-text.tsx";
import type { RecordTab } from "./record-kind-view.ts";

interface RecordLinkProps {
  readonly tab: RecordTab;
  readonly name: string;
  /** Absent, or the same as the name: not shown. */
  readonly displayName?: string;
}

/** The name of a record, which opens its page, with what people call it. */
export const RecordLink = ({ tab, name, displayName = name }: RecordLinkProps) => (
  <span className="record-name">
    <Link to="/project/$tab/$record" params={{ tab, record: name }}>
      <PlainText text={name} limit={120} />
    </Link>
    {displayName !== name && (
      <small>
        <PlainText text={displayName} limit={120} />
      </small>
    )}
  </span>
);
