import { IkgError } from "@ikg/client";
import { Icon } from "./icon.tsx";
import { PlainText } from "./plain-text.tsx";

interface ErrorNoteProps {
  readonly error: unknown;
  readonly title: string;
  readonly onRetry?: (() => unknown) | undefined;
}

const summaryOf = (error: unknown): string => {
  if (error instanceof IkgError) return error.summary;
  return error instanceof Error ? error.message : String(error);
};

/** An error with its details, and the id by which the logs know the request. */
export const ErrorNote = ({ error, title, onRetry }: ErrorNoteProps) => {
  const details = error instanceof IkgError ? error.errors : [];
  return (
    <div className="note bad" role="alert">
      <Icon name="warning" />
      <div className="note-body">
        <strong>{title}</strong>
        <p>
          <PlainText text={summaryOf(error)} limit={500} />
        </p>
        {details.length > 0 && (
          <ul>
            {details.map((each) => (
              <li key={each}>
                <PlainText text={each} limit={500} />
              </li>
            ))}
          </ul>
        )}
        {error instanceof IkgError && (
          <p className="hint">
            <code>
              {error.status} {error.code}
            </code>
            {error.requestId !== undefined && (
              <>
                , request <PlainText text={error.requestId} mono />
              </>
            )}
          </p>
        )}
        {onRetry !== undefined && (
          <button type="button" className="button small" onClick={() => void onRetry()}>
            <Icon name="retry" />
            Try again
          </button>
        )}
      </div>
    </div>
  );
};
