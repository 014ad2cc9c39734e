import { useState } from "react";
import { emptySample, type Sample } from "./sample.ts";

/** The sample of a preview, as it is typed and as it was applied. It is held outside of the tab, which ends with a change of tabs. */
export const useSampling = () => {
  const [draft, setDraft] = useState(emptySample);
  const [sample, setSample] = useState<Sample>();
  return { draft, setDraft, sample, setSample };
};

export type Sampling = ReturnType<typeof useSampling>;
