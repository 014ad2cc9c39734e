import { z } from "zod";
import { BaseSettings, integer, ProjectLimitSettings, ProjectSettings } from "@ikg/service";
import {
  type OriginEntry,
  plainName,
  type ScoreConstants,
  validityEndKeys,
  validityStartKeys,
} from "./score/constants.ts";

const number = (min: number, max: number, byDefault: number, description: string) =>
  z.coerce
    .number({ error: "number expected" })
    .min(min, { error: `at least ${min} expected` })
    .max(max, { error: `at most ${max} expected` })
    .default(byDefault)
    .meta({ description });

const names = (byDefault: readonly string[], description: string) =>
  z
    .string()
    .default(byDefault.join(","))
    .transform(
      (text) =>
        new Set(
          text
            .split(",")
            .map((each) => plainName(each.trim()))
            .filter((each) => each !== ""),
        ),
    )
    .meta({ description });

const OriginTable = z.array(z.object({ match: z.string().min(1), score: z.number().min(0).max(1) }));

const originTable = (description: string) =>
  z
    .string()
    .default("[]")
    .transform((text, context): readonly OriginEntry[] => {
      try {
        return OriginTable.parse(JSON.parse(text));
      } catch {
        context.addIssue({
          code: "custom",
          message: 'JSON array of {"match": text, "score": 0-1} expected',
        });
        return z.NEVER;
      }
    })
    .meta({ description });

/** Settings of the trust scorer: those of every service that works on graphs, and its own. */
export const TrustScorerSettings = BaseSettings.extend({
  ...ProjectSettings.shape,
  ...ProjectLimitSettings.shape,
  TRUST_CONCURRENCY: integer(
    0,
    64,
    2,
    "Key ranges that this process scores at once, of whichever projects; 0: it leaves the work to others.",
  ),
  TRUST_BATCH_SIZE: integer(1, 10_000, 1_000, "Nodes of a page: read by one statement, written by one."),
  TRUST_RANGE_SIZE: integer(
    1,
    100_000_000,
    50_000,
    "A type with more nodes is split into key ranges of about so many, at most 64, for several workers.",
  ),
  TRUST_PACE_PERCENT: integer(
    1,
    100,
    100,
    "Share of its time that a range is worked on at most; with 25 it rests three times as long as each page took.",
  ),
  TRUST_TAKEOVER_SECONDS: integer(
    1,
    600,
    15,
    "Seconds without a heartbeat from a worker after which another one takes over its work.",
  ),
  TRUST_HOUSEKEEPING_SECONDS: integer(
    1,
    3_600,
    30,
    "Seconds between two passes of the reconciler over schedules, runs and scores.",
  ),
  TRUST_SCHEDULE_SCALE: number(
    0.000_001,
    1_000,
    1,
    "Factor of every interval of a schedule; for tests, where three hours are too long.",
  ),
  TRUST_VERIFICATION_FULL_DAYS: number(0, 100_000, 365, "A verification counts fully up to this age."),
  TRUST_VERIFICATION_ZERO_DAYS: number(
    0,
    100_000,
    730,
    "From this age on a verification counts nothing; in between evenly less.",
  ),
  TRUST_ORIGIN_TABLE: originTable(
    'Sources and how far they are trusted, as JSON: `[{"match": "*.bank.example", "score": 1}]`; the first that fits.',
  ),
  TRUST_FRESHNESS_HALF_LIFE_DAYS: number(0.001, 100_000, 180, "After so many days freshness is a half."),
  TRUST_VALIDITY_START_KEYS: names(
    validityStartKeys,
    "Names of properties that say from when a node is valid, separated by commas.",
  ),
  TRUST_VALIDITY_END_KEYS: names(
    validityEndKeys,
    "Names of properties that say until when a node is valid, separated by commas.",
  ),
  TRUST_COMPLETENESS_MIN_SHARE: number(
    0,
    1,
    0.5,
    "A property is expected when at least this share of the nodes of a type has it.",
  ),
});

export type TrustScorerSettings = z.output<typeof TrustScorerSettings>;

/** What the formulas need of the settings. */
export const scoreConstants = (settings: TrustScorerSettings): ScoreConstants => ({
  verificationFullDays: settings.TRUST_VERIFICATION_FULL_DAYS,
  verificationZeroDays: settings.TRUST_VERIFICATION_ZERO_DAYS,
  originTable: settings.TRUST_ORIGIN_TABLE,
  freshnessHalfLifeDays: settings.TRUST_FRESHNESS_HALF_LIFE_DAYS,
  validityStartKeys: settings.TRUST_VALIDITY_START_KEYS,
  validityEndKeys: settings.TRUST_VALIDITY_END_KEYS,
});
