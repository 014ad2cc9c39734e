import { useState } from "react";
import { Note } from "../../../components/note.tsx";
import { hasWebCrypto } from "../../../session/has-web-crypto.ts";
import { DecisionsScreen } from "../decisions-screen.tsx";
import type { ChosenFiles } from "./export-files.ts";
import { FileField } from "./file-field.tsx";
import { useVerification } from "./use-verification.ts";
import { VerificationResult } from "./verification-result.tsx";

/** Verifies whether a record was changed, removed or added since it was signed. */
export const VerifyScreen = () => (
  <DecisionsScreen>{(projectId) => <Verify projectId={projectId} />}</DecisionsScreen>
);

const Verify = ({ projectId }: { readonly projectId: string }) => {
  const { run, start, stop } = useVerification(projectId);
  const [isPartial, setPartial] = useState(false);
  if (!hasWebCrypto())
    return (
      <Note tone="warn">
        <p>
          Browsers compute hashes and signatures only on pages served over https or from localhost. Open the
          console at its https address, or use <code>ikg audit verify</code>.
        </p>
      </Note>
    );
  const isRunning = run?.state.status === "running";
  return (
    <>
      <p>
        Records are grouped into batches, every batch is signed, and each signature covers the hash of the
        batch before. Here the browser computes every hash and verifies every signature by itself: a record
        that was changed, removed or added breaks the chain.
      </p>
      <div className="verify-sources">
        <ChainSection isRunning={isRunning} onVerify={() => start(undefined, isPartial)} />
        <ExportSection isRunning={isRunning} onVerify={(files) => start(files, isPartial)} />
      </div>
      <label className="check">
        <input type="checkbox" checked={isPartial} onChange={(event) => setPartial(event.target.checked)} />
        <span>
          Allow missing batches
          <small>
            Missing batches are not reported as failures, for example those older than the retention period.
          </small>
        </span>
      </label>
      {run !== undefined && <VerificationResult projectId={projectId} run={run} onStop={stop} />}
    </>
  );
};

interface ChainSectionProps {
  readonly isRunning: boolean;
  readonly onVerify: () => void;
}

const ChainSection = ({ isRunning, onVerify }: ChainSectionProps) => (
  <section className="card stack" aria-labelledby="verify-service">
    <h2 id="verify-service">The chain of this project</h2>
    <p className="hint">
      Reads every record from the service. That may take minutes for millions of records.
    </p>
    <button type="button" className="button primary start" disabled={isRunning} onClick={onVerify}>
      Verify the chain
    </button>
  </section>
);

interface ExportSectionProps {
  readonly isRunning: boolean;
  readonly onVerify: (files: ChosenFiles) => void;
}

const ExportSection = ({ isRunning, onVerify }: ExportSectionProps) => {
  const [files, setFiles] = useState<ChosenFiles>({});
  const [isReading, setReading] = useState(false);
  const hasFiles = Object.keys(files).length > 0;
  return (
    <section className="card stack" aria-labelledby="verify-export">
      <h2 id="verify-export">An export</h2>
      <FileField files={files} onFiles={setFiles} onReading={setReading} />
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={isRunning || isReading || !hasFiles}
          onClick={() => onVerify(files)}
        >
          Verify the files
        </button>
        {hasFiles && (
          <button type="button" className="button quiet" onClick={() => setFiles({})}>
            Remove the files
          </button>
        )}
      </div>
    </section>
  );
};
