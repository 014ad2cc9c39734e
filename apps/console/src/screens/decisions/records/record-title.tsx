import { PlainText } from "../../../components/plain-text.tsx";
import { describeRecord, kindTitle } from "./describe-record.ts";
import type { Names } from "./names.ts";
import type { RecordedNode, RecordRow } from "./record-row.ts";

interface RecordTitleProps {
  readonly row: RecordRow;
  readonly names: Names;
}

/** What a record is about, in one line. */
export const RecordTitle = ({ row, names }: RecordTitleProps) => {
  const { record, kind, subject, action, resource, entry } = row;
  if (kind !== "decisions") {
    const { title, detail } = describeRecord(record, names);
    return (
      <span>
        {title}
        {detail !== "" && (
          <>
            {" "}
            <PlainText text={detail} limit={120} />
          </>
        )}
      </span>
    );
  }
  const isSearch = record.type.startsWith("audit.authorization.search");
  return (
    <span>
      {isSearch && `${kindTitle(record.type)}: `}
      <NodeText node={subject} /> <strong>{action !== "" && <PlainText text={action} limit={60} />}</strong>{" "}
      <NodeText node={resource} />
      {entry !== undefined && (
        <small>
          {" "}
          {entry.index + 1} of {entry.of} in a batch
        </small>
      )}
    </span>
  );
};

const NodeText = ({ node }: { readonly node: RecordedNode | undefined }) => {
  if (node === undefined) return null;
  return (
    <>
      <PlainText text={node.type} limit={60} />
      {node.id !== "" && (
        <>
          {" "}
          <PlainText text={node.id} limit={80} />
        </>
      )}
    </>
  );
};
