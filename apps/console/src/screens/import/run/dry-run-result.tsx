import type { DryRun } from "@ikg/imports/browser";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { countText } from "../../../text/count-text.ts";
import { RejectedLines } from "./rejected-lines.tsx";

interface DryRunResultProps {
  readonly result: DryRun;
  /** False: files or mapping have changed since. */
  readonly isCurrent: boolean;
  readonly onDownload: () => void;
}

const count = new Intl.NumberFormat();

const Counts = ({
  label,
  counts,
}: {
  readonly label: string;
  readonly counts: Readonly<Record<string, number>>;
}) => (
  <div>
    <dt>{label}</dt>
    <dd>
      {Object.keys(counts).length === 0 && "none"}
      {Object.entries(counts)
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([type, lines]) => (
          <span key={type} className="tag">
            <PlainText text={type} limit={64} /> {count.format(lines)}
          </span>
        ))}
    </dd>
  </div>
);

/** What an import would do, as far as that can be known without the graph. */
export const DryRunResult = ({ result, isCurrent, onDownload }: DryRunResultProps) => {
  const { rows, nodes, relationships, rejected, faults } = result;
  return (
    <div className="card stack tight" role="group" aria-label="Result of the dry run">
      <p role="status">
        <strong>Dry run:</strong> {countText(rows, "row")} read,{" "}
        {rejected === 0 ? "nothing would be rejected" : `${count.format(rejected)} would be rejected`}.
      </p>
      {!isCurrent && (
        <Note tone="info">
          <p>Files or mapping have changed since this dry run.</p>
        </Note>
      )}
      <dl className="import-counts">
        <Counts label="Nodes" counts={nodes} />
        <Counts label="Relationships" counts={relationships} />
      </dl>
      <p className="hint">Whether both ends of a relationship exist is checked only during the import.</p>
      {rejected > 0 && (
        <RejectedLines
          label="Lines that would be rejected"
          lines={faults}
          downloadLabel={rejected > faults.length ? `The first ${count.format(faults.length)}` : "Download"}
          onDownload={onDownload}
        />
      )}
    </div>
  );
};
