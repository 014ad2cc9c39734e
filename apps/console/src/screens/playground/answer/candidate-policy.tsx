import type { CandidateExplanation } from "@ikg/client";
import { useVersion } from "../../../editors/record-editor/versions/use-versions.ts";
import { Loaded } from "../../../queries/loaded.tsx";
import { MarkedText } from "../../../components/marked-text/marked-text.tsx";
import { markPart, markPath } from "../../../components/marked-text/segments.ts";
import { PlainText } from "../../../components/plain-text.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import { shownPolicy } from "./policy-text.ts";

interface CandidatePolicyProps {
  readonly projectId: string;
  readonly candidate: CandidateExplanation;
}

/** The text of a policy in the version that decided, with what failed marked in it. */
export const CandidatePolicy = ({ projectId, candidate }: CandidatePolicyProps) => {
  const { id, version } = candidate.policy;
  const admin = useAdmin(projectId);
  return (
    <Loaded query={useVersion(admin.policies, id, version)} what="the policy">
      {({ policy }) => <PolicyText text={policy} candidate={candidate} />}
    </Loaded>
  );
};

const PolicyText = ({
  text,
  candidate,
}: {
  readonly text: string;
  readonly candidate: CandidateExplanation;
}) => {
  const policy = shownPolicy(text);
  if (policy === undefined)
    return <MarkedText label="Text of the policy" segments={[{ text, isMarked: false }]} />;
  return (
    <div className="policy-text">
      <p className="triple">
        <PlainText text={policy.subject} /> <span aria-hidden="true">·</span>{" "}
        <strong>
          <PlainText text={policy.actions.join(", ")} />
        </strong>{" "}
        <span aria-hidden="true">·</span> <PlainText text={policy.resource} />
      </p>
      <MarkedText label="Condition of the policy" segments={markPart(policy.cypher, candidate.part)} />
      {policy.others.map(([name, value]) => (
        <div key={name}>
          <p className="label">{name}</p>
          <MarkedText
            label={`${name} of the policy`}
            segments={markPath(value, `policy.condition.${name}`, candidate.filter?.path)}
          />
        </div>
      ))}
    </div>
  );
};
