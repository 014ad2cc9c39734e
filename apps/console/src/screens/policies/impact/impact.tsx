import { Empty } from "../../../components/empty.tsx";
import type { PolicyDraft } from "../draft/draft.ts";
import { type ImpactInputs, putOf } from "./impact-of.ts";
import { ImpactView } from "./impact-view.tsx";
import { InputsForm } from "./inputs-form.tsx";
import { useImpact } from "./use-impact.ts";

interface ImpactProps {
  readonly projectId: string;
  readonly draft: PolicyDraft;
  readonly inputs: ImpactInputs;
  readonly onInputs: (inputs: ImpactInputs) => void;
  /** The inputs as they are typed. */
  readonly inputsDraft: ImpactInputs;
  readonly onInputsDraft: (inputs: ImpactInputs) => void;
}

/** What saving the draft would do. */
export const Impact = (props: ImpactProps) => {
  const { projectId, draft, inputs, onInputs, inputsDraft, onInputsDraft } = props;
  const change = putOf(draft);
  const query = useImpact(projectId, change, inputs);
  return (
    <div className="stack">
      <p className="lead">
        Who would gain and who would lose access if this were saved now. Nothing is stored.
      </p>
      <InputsForm typed={inputsDraft} onChange={onInputsDraft} onApply={onInputs} />
      {change === undefined ? (
        <Empty title="Cannot be shown yet">
          <p>
            {draft.name === "" ? "Give the policy a name first." : "A field does not contain valid JSON."}
          </p>
        </Empty>
      ) : (
        <>
          <h2 className="visually-hidden">Whose access changes</h2>
          <ImpactView query={query} params={inputs.params} />
        </>
      )}
    </div>
  );
};
