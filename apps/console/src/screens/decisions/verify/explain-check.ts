import type { FailedCheck, ChainVerification } from "@ikg/audit/verification";

const missingBetween = (before: number, sequence: number): string => {
  const [first, last] = [before + 1, sequence - 1];
  if (first > last) return "Batches are out of order.";
  return first === last
    ? `Batch ${first.toLocaleString()} is missing, with its records.`
    : `The batches ${first.toLocaleString()} to ${last.toLocaleString()} are missing, with their records.`;
};

const meanings: readonly (readonly [RegExp, (...groups: readonly string[]) => string])[] = [
  [
    /^hash does not match the events$/,
    () =>
      "At least one record of this batch was changed, added or removed after it was signed. A batch is signed as a whole, so it is one of its records.",
  ],
  [/^it is missing$/, () => "The chain has its signed manifest, but its records are not there."],
  [/^the chain does not begin at 1$/, () => "What was recorded before is missing."],
  [/^prev_hash /, () => "It does not continue the batch before it: one of the two was replaced."],
  [/^head_hash /, () => "What was signed of this batch was changed afterwards."],
  [
    /^the chain has no manifest /,
    () => "The end of the chain is missing: it was longer when this checkpoint was signed.",
  ],
  [
    /^the (?:signature|key|header|algorithm) /,
    () => "The key that it names has not signed this as it is here.",
  ],
  [/ differs from the manifest$/, () => "The batch says something else than what was signed of it."],
  [/^it belongs to another project$/, () => "It is not of the chain that it stands in."],
];

/** What a failed check means for a reader who does not know the procedure; empty where its reason says all. */
export const explainCheck = ({ reason, sequence }: FailedCheck): string => {
  const [, before] = /^it follows (\d+):/.exec(reason) ?? [];
  if (before !== undefined && sequence !== undefined) return missingBetween(Number(before), sequence);
  return meanings.find(([pattern]) => pattern.test(reason))?.[1]() ?? "";
};

/** Whether all that failed is that the oldest batches are missing, as they are once their records are not kept any more. */
export const isOldestMissing = ({ failed }: Pick<ChainVerification, "failed">): boolean =>
  failed.length > 0 &&
  failed.every(({ reason, sequence }, index) => reason === "it is missing" && sequence === index + 1);
