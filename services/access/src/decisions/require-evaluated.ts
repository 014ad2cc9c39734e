import { Problem } from "@ikg/contracts";
import { missingParameterText } from "@ikg/policy-core";
import type { Prefiltered } from "./candidates.ts";

/**
 * Rejects the call when nothing was granted and a candidate could not be evaluated: it lacked a parameter, or its
 * location cannot be resolved. A grant of another candidate takes precedence.
 *
 * @throws Problem "input_param_missing", "unprocessable" (422).
 */
export const requireEvaluated = ({ missing, locationFaults }: Prefiltered): void => {
  const errors = [...missing.map(missingParameterText), ...locationFaults];
  if (errors.length === 0) return;
  throw new Problem(missing.length > 0 ? "input_param_missing" : "unprocessable", { errors });
};
