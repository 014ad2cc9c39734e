import type { NodeTrustScore } from "@ikg/client";
import { Instant } from "../../../components/instant.tsx";

const final = "_final_score" satisfies keyof NodeTrustScore;

const dimensions = [
  ["Validity", "_validity"],
  ["Verification", "_verification"],
  ["Freshness", "_freshness"],
  ["Origin", "_origin"],
  ["Completeness", "_completeness"],
] as const satisfies readonly (readonly [string, keyof NodeTrustScore])[];

const format = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });

/** A score may be missing although its type has none of that. */
const Score = ({ name, score }: { readonly name: string; readonly score: number | null }) => (
  <div className="score">
    <dt>{name}</dt>
    <dd>
      {score === null ? (
        <span className="hint">no score</span>
      ) : (
        <>
          <meter min={0} max={1} value={score} aria-label={name} />
          {format.format(score)}
        </>
      )}
    </dd>
  </div>
);

/** The trust score of a node with its dimensions. */
export const TrustScore = ({ score }: { readonly score: NodeTrustScore }) => (
  <section className="card stack" aria-labelledby="trust-score">
    <div className="list-head">
      <h3 id="trust-score">Trust score {format.format(score[final])}</h3>
      <p className="hint">
        Computed <Instant at={score.update_time} />
      </p>
    </div>
    <dl className="scores">
      {dimensions.map(([name, member]) => (
        <Score key={name} name={name} score={score[member]} />
      ))}
    </dl>
  </section>
);
