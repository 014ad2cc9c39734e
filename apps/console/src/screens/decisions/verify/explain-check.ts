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
  [/^it is missing$/, () => "Its signed manifest is in the chain, but its records are missing."],
  [/^the chain does not begin at 1$/, () => "The records before it are missing."],
  [/^prev_hash /, () => "It does not continue the batch before it: one of the two was replaced."],
  [/^head_hash /, () => "The manifest of this batch was changed after it was signed."],
  [
    /^the chain has no manifest /,
    () => "The end of the chain is missing: it was longer when this checkpoint was signed.",
  ],
  [
    /^the (?:signature|key|header|algorithm) /,
    () => "The signature does not match this content and the key that it names.",
  ],
  [/ differs from the manifest$/, () => "The batch does not match its signed manifest."],
  [/^it belongs to another project$/, () => "It belongs to another project's chain."],
];

/** What a failed check means for a reader who does not know the procedure; empty where its reason says all. */
export const explainCheck = ({ reason, sequence }: FailedCheck): string => {
  const [, before] = /^it follows (\d+):/.exec(reason) ?? [];
  if (before !== undefined && sequence !== undefined) return missingBetween(Number(before), sequence);
  return meanings.find(([pattern]) => pattern.test(reason))?.[1]() ?? "";
};

/** Whether all that failed is that the oldest batches are missing, as they are once their records are no longer kept. */
export const isOldestMissing = ({ failed }: Pick<ChainVerification, "failed">): boolean =>
  failed.length > 0 &&
  failed.every(({ reason, sequence }, index) => reason === "it is missing" && sequence === index + 1);
