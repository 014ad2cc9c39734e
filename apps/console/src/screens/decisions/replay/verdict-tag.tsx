import type { ReplayedDecision } from "@ikg/client";
import { Icon } from "../../../components/icon.tsx";
import { reasonTexts, verdictMeanings, verdictTexts } from "./verdicts.ts";

const word = (decision: boolean | undefined): string =>
  decision === undefined ? "" : decision ? "allowed" : "denied";

/** What a record comes to today. */
export const VerdictTag = ({ result }: { readonly result: ReplayedDecision }) => {
  const { verdict, now, because } = result;
  const isSame = verdict === "same";
  const tone = isSame ? "good" : verdict === "not_replayable" ? "" : "warn";
  const reason = because === undefined ? "" : reasonTexts[because.reason];
  return (
    <span className="replay-verdict" title={reason === "" ? verdictMeanings[verdict] : reason}>
      <span className={`tag ${tone}`}>
        {verdict !== "not_replayable" && <Icon name={isSame ? "check" : "warning"} />}
        {verdictTexts[verdict]}
      </span>
      {!isSame && now !== undefined && <small>now {word(now)}</small>}
    </span>
  );
};
