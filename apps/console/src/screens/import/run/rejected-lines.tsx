import type { RejectedLine } from "@ikg/imports/browser";
import type { ReactNode } from "react";
import { Icon } from "../../../components/icon.tsx";
import { RejectedTable } from "./rejected-table.tsx";

interface RejectedLinesProps {
  /** Differs from that of another such table on the page. */
  readonly label: string;
  readonly lines: readonly RejectedLine[];
  /** What the download has. */
  readonly downloadLabel: string;
  readonly onDownload: () => void;
  /** What the table does not show. */
  readonly children?: ReactNode;
}

/** Rejected lines in a table, and as a file to take along. */
export const RejectedLines = ({ label, lines, downloadLabel, onDownload, children }: RejectedLinesProps) => (
  <>
    <div className="row spread">
      <h3>Rejected</h3>
      <button type="button" className="button small" onClick={onDownload}>
        <Icon name="download" />
        {downloadLabel}
      </button>
    </div>
    {children}
    <RejectedTable label={label} lines={lines} />
  </>
);
