import type { ColumnProfile } from "@ikg/imports/browser";
import { PlainText } from "../../../components/plain-text.tsx";
import { columnDrag } from "./column-drop.ts";

interface ColumnListProps {
  readonly columns: readonly ColumnProfile[];
  /** Values of the first row. */
  readonly sample: readonly string[];
}

/** The columns of a file, to be dragged to where they belong. The same is done by the lists of columns there. */
export const ColumnList = ({ columns, sample }: ColumnListProps) => (
  <section className="import-columns stack tight" aria-label="Columns">
    <h3>Columns</h3>
    <p className="hint">
      Drag one to an id, a property, or a new node type. Each field has a list of them, too.
    </p>
    {/* A list that scrolls can be reached by keyboard. */}
    <ul tabIndex={0} aria-label="Columns of the file">
      {columns.map(({ name, as, isUnique }, at) => (
        <li key={name} className="import-column" {...columnDrag(name)}>
          <span className="import-column-name">
            <PlainText text={name} limit={60} />
            <small>{[as ?? "text", ...(isUnique ? ["unique"] : [])].join(", ")}</small>
          </span>
          {sample[at] !== undefined && sample[at] !== "" && (
            <small className="mono">
              <PlainText text={sample[at]} limit={40} />
            </small>
          )}
        </li>
      ))}
    </ul>
  </section>
);
