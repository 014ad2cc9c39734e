import type { AuditSigningRecord } from "@ikg/client";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Instant } from "../../../components/instant.tsx";
import { Loaded } from "../../../queries/loaded.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { shellWord } from "../../../snippets/shell-word.ts";
import { baseUrl } from "../../../session/base-url.ts";
import { useMay } from "../../../session/use-admin.ts";
import { Facts } from "../records/facts.tsx";
import type { Fact } from "../records/record-kind-view.ts";
import { providerTexts } from "./signing-kind.tsx";
import { signingInForce } from "./signing-state.ts";
import {
  recentHours,
  type RecentSigning,
  useCheckpoint,
  useRecentSigning,
  useSigningKeys,
} from "./use-signing.ts";

interface SigningStateProps {
  readonly projectId: string;
  readonly signings: readonly AuditSigningRecord[];
}

/** Which key signs the audit trail now, whether it does, and how anyone verifies it. */
export const SigningState = ({ projectId, signings }: SigningStateProps) => {
  const inForce = signingInForce(signings);
  const mayRead = useMay()("list_audit_logs", projectId);
  return (
    <>
      <section className="card stack" aria-label="In force">
        <h2>
          {providerTexts[inForce?.provider ?? "PLATFORM_MANAGED"]} signs
          {inForce !== undefined && (
            <>
              : <PlainText text={inForce.name} limit={80} />
            </>
          )}
        </h2>
        {mayRead ? (
          <SigningStatus projectId={projectId} />
        ) : (
          <p className="hint">Whether signing works is shown to roles that may read the audit trail.</p>
        )}
      </section>
      <PublicKeys projectId={projectId} />
    </>
  );
};

const signedFacts = ({ last }: RecentSigning): readonly Fact[] =>
  last === undefined
    ? [{ label: "Signed", value: `nothing in the last ${recentHours} hours` }]
    : [
        {
          label: "Signed",
          value: `batch ${last.sequence.toLocaleString()} of the chain, in the last ${recentHours} hours`,
        },
        { label: "Key id", value: <PlainText text={last.kid} limit={256} mono /> },
        { label: "Algorithm", value: last.alg },
      ];

const SigningStatus = ({ projectId }: { readonly projectId: string }) => {
  const checkpoint = useCheckpoint(projectId);
  const newest: readonly Fact[] = checkpoint.data
    ? [
        {
          label: "Checkpoint",
          value: (
            <>
              <Instant at={checkpoint.data.created_at} />, at batch{" "}
              {checkpoint.data.sequence.toLocaleString()}
            </>
          ),
        },
      ]
    : [];
  return (
    <Loaded query={useRecentSigning(projectId)} what="recent signatures">
      {(recent) => (
        <>
          <Events recent={recent} />
          <Facts facts={[...signedFacts(recent), ...newest]} />
        </>
      )}
    </Loaded>
  );
};

const Events = ({ recent: { last, events, isComplete } }: { readonly recent: RecentSigning }) => (
  <>
    {events[0]?.isFailure === true && (
      <Note tone="warn">
        <p>
          <strong>{events[0].text}</strong>. Records wait until a key signs again; no other key signs instead.
        </p>
      </Note>
    )}
    {events[0]?.isFailure !== true && last !== undefined && (
      <p>
        <span className="tag good">
          <Icon name="check" /> Signing works
        </span>
      </p>
    )}
    {events.length > 0 && (
      <ul className="plain-list">
        {events.map(({ id, time, text }) => (
          <li key={id}>
            <Instant at={time} />: <PlainText text={text} limit={200} />
          </li>
        ))}
      </ul>
    )}
    {!isComplete && (
      <Note tone="info">
        <p>Only the newest records are read; older ones are not shown.</p>
      </Note>
    )}
  </>
);

const PublicKeys = ({ projectId }: { readonly projectId: string }) => {
  const address = `${baseUrl()}/audit/.well-known/jwks.json?project_id=${encodeURIComponent(projectId)}`;
  return (
    <section className="card stack" aria-label="Public keys">
      <div className="row spread">
        <div>
          <h2>Public keys</h2>
          <p className="hint">
            Every key that has signed for the project. With them and an export, anyone can verify the audit
            trail; reading them needs no credential.
          </p>
        </div>
        <div className="row">
          <CopyButton label="Address" text={address} />
          <CopyButton label="curl" text={`curl -sS ${shellWord(address)}`} />
        </div>
      </div>
      <Loaded query={useSigningKeys(projectId)} what="the public keys">
        {(keys) =>
          keys.length === 0 ? (
            <p className="hint">
              No key has signed yet: the first record of the project is signed within seconds.
            </p>
          ) : (
            <>
              <ul className="plain-list">
                {keys.map(({ kid, alg, kty, crv: curve }) => (
                  <li key={kid}>
                    <PlainText text={kid} limit={120} mono />{" "}
                    <span className="hint">
                      {alg}, {kty}
                      {typeof curve === "string" && ` on ${curve}`}
                    </span>
                  </li>
                ))}
              </ul>
              <details className="options">
                <summary>Key set (JWKS)</summary>
                <div className="stack tight">
                  <pre className="code" role="region" aria-label="Key set" tabIndex={0}>
                    {JSON.stringify({ keys }, null, 2)}
                  </pre>
                  <div className="row">
                    <CopyButton label="Copy key set" text={JSON.stringify({ keys })} />
                  </div>
                </div>
              </details>
            </>
          )
        }
      </Loaded>
    </section>
  );
};
