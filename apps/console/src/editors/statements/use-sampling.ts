import { useState } from "react";
import { emptySample, type Sample } from "./sample.ts";

/** The sample of a preview, as it is typed and as it was applied. The page of the record holds it, so that another tab does not lose it. */
export const useSampling = () => {
  const [draft, setDraft] = useState(emptySample);
  const [sample, setSample] = useState<Sample>();
  return { draft, setDraft, sample, setSample };
};

export type Sampling = ReturnType<typeof useSampling>;
