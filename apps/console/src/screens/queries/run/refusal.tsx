import { isOutcomeUnknown, StepUpRequired } from "@ikg/client";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";

interface RefusalProps {
  readonly error: unknown;
  readonly hasWriting: boolean;
}

/** Why a query did not run, and what its token must satisfy. */
export const Refusal = ({ error, hasWriting }: RefusalProps) => (
  <div className="stack">
    <ErrorNote error={error} title="Not run" />
    {error instanceof StepUpRequired && (
      <Note tone="info">
        <p>
          The token does not satisfy the token filter of the policy. What the answer asks the person to do:
        </p>
        <dl className="facts">
          {Object.entries(error.advice).map(([name, value]) => (
            <div key={name}>
              <dt>
                <PlainText text={name} limit={80} mono />
              </dt>
              <dd>
                <PlainText text={value} limit={300} />
              </dd>
            </div>
          ))}
        </dl>
      </Note>
    )}
    {hasWriting && isOutcomeUnknown(error) && (
      <Note tone="warn">
        <p>
          The response was lost and the query may have written data. Check the graph before you run it again.
        </p>
      </Note>
    )}
  </div>
);
