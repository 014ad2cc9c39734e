import { AlertDialog } from "radix-ui";
import { Instant } from "../../../components/instant.tsx";

interface CancelJobProps {
  readonly startedAt: string;
  readonly onCancel: () => void;
}

/** Ends a job after a question: what is written stays, so there is nothing to restore, and its lines can be sent again. */
export const CancelJob = ({ startedAt, onCancel }: CancelJobProps) => (
  <AlertDialog.Root>
    <AlertDialog.Trigger className="button small">Cancel</AlertDialog.Trigger>
    <AlertDialog.Portal>
      <AlertDialog.Overlay className="dialog-overlay" />
      <AlertDialog.Content className="dialog">
        <AlertDialog.Title>Cancel this import job?</AlertDialog.Title>
        <AlertDialog.Description asChild>
          <div>
            The job started at <Instant at={startedAt} /> will be cancelled. Rows already written stay; its
            other rows are discarded.
          </div>
        </AlertDialog.Description>
        <div className="row end">
          <AlertDialog.Cancel className="button">Keep the job</AlertDialog.Cancel>
          <AlertDialog.Action className="button danger" onClick={onCancel}>
            Cancel the job
          </AlertDialog.Action>
        </div>
      </AlertDialog.Content>
    </AlertDialog.Portal>
  </AlertDialog.Root>
);
