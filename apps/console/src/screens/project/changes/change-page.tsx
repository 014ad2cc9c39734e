import type { AppliedChanges, ChangeRecordWithTexts } from "@ikg/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Difference } from "../../../editors/code/difference.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { useMay } from "../../../session/use-admin.ts";
import { Author } from "../author.tsx";
import { Facts } from "../records/facts.tsx";
import type { Fact } from "../records/record-kind-view.ts";
import { kindOf, readableContent, transitionText } from "./readable-content.ts";
import { RevertDialog } from "./revert-dialog.tsx";
import { useChange } from "./use-changes.ts";

interface ChangePageProps {
  readonly projectId: string;
  /** Gid of the change record. */
  readonly name: string;
}

/** One change: each record before and after, and the way back. */
export const ChangePage = ({ projectId, name: id }: ChangePageProps) => (
  <div className="stack">
    <p>
      <Link to="/project/$tab" params={{ tab: "changes" }}>
        All changes
      </Link>
    </p>
    <Loaded query={useChange(projectId, id)} what="the change">
      {(change) =>
        change === null ? (
          <Empty title="There is no such change">
            <p>The address may be mistyped, or the record of the change is no longer kept.</p>
          </Empty>
        ) : (
          <OneChange projectId={projectId} change={change} />
        )
      }
    </Loaded>
  </div>
);

interface OneChangeProps {
  readonly projectId: string;
  readonly change: ChangeRecordWithTexts;
}

const ChangeLink = ({ id, text }: { readonly id: string; readonly text: string }) => (
  <Link to="/project/$tab/$record" params={{ tab: "changes", record: id }}>
    {text}
  </Link>
);

const factsOf = ({ message, reverts, id }: ChangeRecordWithTexts): readonly Fact[] => [
  ...(message === undefined ? [] : [{ label: "Why", value: <PlainText text={message} limit={1_000} /> }]),
  ...(reverts === undefined
    ? []
    : [{ label: "Reverts", value: <ChangeLink id={reverts} text="an earlier change" /> }]),
  { label: "Id", value: <PlainText text={id} mono /> },
];

const OneChange = ({ projectId, change }: OneChangeProps) => {
  const [isOpen, setOpen] = useState(false);
  const [reverted, setReverted] = useState<AppliedChanges>();
  const mayRevert = useMay()("revert_change", projectId);
  const count = change.changes.length;
  return (
    <>
      <section className="card stack" aria-label="Change">
        <div className="row spread record-head">
          <div>
            <h2>{count === 1 ? "A change of one record" : `A change of ${count} records`}</h2>
            <p className="hint">
              <Instant at={change.create_time} /> by <Author projectId={projectId} id={change.created_by} />
            </p>
          </div>
          {mayRevert && count > 0 && (
            <button type="button" className="button" onClick={() => setOpen(true)}>
              Revert…
            </button>
          )}
        </div>
        <Facts facts={factsOf(change)} />
      </section>
      {reverted !== undefined && <RevertedNote applied={reverted} />}
      {change.changes.map((each) => (
        <section className="card stack" key={each.id} aria-label={`${kindOf(each)} ${each.name}`}>
          <h3>
            The {kindOf(each)} <PlainText text={each.name} limit={120} /> was {transitionText(each)}
          </h3>
          <Difference
            formerLabel={each.before === undefined ? "Did not exist" : `Version ${each.from_version}`}
            former={readableContent(each.name, each.before)}
            latterLabel={each.after === undefined ? "Removed" : `Version ${each.to_version}`}
            latter={readableContent(each.name, each.after)}
            isUnified
          />
        </section>
      ))}
      {isOpen && (
        <RevertDialog
          projectId={projectId}
          change={change}
          onClose={() => setOpen(false)}
          onReverted={(applied) => {
            setOpen(false);
            setReverted(applied);
          }}
        />
      )}
    </>
  );
};

const RevertedNote = ({ applied: { id } }: { readonly applied: AppliedChanges }) => (
  <Note tone="good">
    {id === undefined ? (
      <p>Nothing to revert: the records already match their state before this change.</p>
    ) : (
      <p>
        Reverted by <ChangeLink id={id} text="another change" />, which is live within two seconds.
      </p>
    )}
  </Note>
);
