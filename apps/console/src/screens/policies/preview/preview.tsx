import type { PreviewOptions } from "@ikg/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { wrongJson } from "../../../parts/json.ts";
import { JsonField } from "../../../parts/json-field.tsx";
import { Statements } from "../../../parts/statements/statements.tsx";
import { TextField } from "../../../parts/text-field.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import type { PolicyDraft } from "../draft/draft.ts";
import { validatedFields } from "../draft/use-validation.ts";

interface PreviewProps {
  readonly projectId: string;
  readonly draft: PolicyDraft;
}

type Sample = NonNullable<PreviewOptions["sample"]>;

const usePreview = (projectId: string, draft: PolicyDraft, sample: Sample | undefined) => {
  const admin = useAdmin(projectId);
  const fields = validatedFields(draft);
  return useQuery({
    queryKey: ["preview", projectId, JSON.stringify(fields), JSON.stringify(sample)],
    enabled: fields !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (fields === undefined) throw new Error("the policy has a field that is no JSON");
      const options = { preview: true, ...(sample !== undefined && { sample }) };
      return (await admin.policies.validate(fields, options, { signal })).statements ?? [];
    },
  });
};

/** What the suite runs for the policy, and what it costs. */
export const Preview = ({ projectId, draft }: PreviewProps) => {
  const [sample, setSample] = useState<Sample>();
  const query = usePreview(projectId, draft, sample);
  return (
    <div className="stack">
      <p className="lead">
        The Cypher that runs for this policy, as it is typed, and the plan of the database for it.
      </p>
      <SampleForm onApply={setSample} isBusy={query.isFetching} />
      <Statements kind="policy" query={query} />
    </div>
  );
};

const sampleOf = (subject: string, resource: string, params: string): Sample | undefined => {
  const sample: Sample = {
    ...(subject !== "" && { subject: { id: subject } }),
    ...(resource !== "" && { resource: { id: resource } }),
    ...(params.trim() !== "" && { input_params: JSON.parse(params) as Record<string, unknown> }),
  };
  return Object.keys(sample).length === 0 ? undefined : sample;
};

const SampleForm = ({
  onApply,
  isBusy,
}: {
  readonly onApply: (sample: Sample | undefined) => void;
  readonly isBusy: boolean;
}) => {
  const [subject, setSubject] = useState("");
  const [resource, setResource] = useState("");
  const [params, setParams] = useState("");
  const wrong = wrongJson(params);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wrong === undefined) onApply(sampleOf(subject, resource, params));
  };
  return (
    <details className="card options">
      <summary>Measure it for a sample</summary>
      <form className="stack" onSubmit={submit}>
        <div className="columns">
          <TextField label="Subject id" value={subject} wrong={undefined} onChange={setSubject} />
          <TextField label="Resource id" value={resource} wrong={undefined} onChange={setResource} />
          <JsonField
            label="Parameters"
            value={params}
            wrong={wrong}
            rows={1}
            placeholder='{"min_hours": 100}'
            onChange={setParams}
          />
        </div>
        <button type="submit" className="button start" disabled={isBusy || wrong !== undefined}>
          Measure
        </button>
      </form>
    </details>
  );
};
