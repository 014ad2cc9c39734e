/** An entry of the deployer's table of sources: an exact name, or `*.` and the end of one. */
export interface OriginEntry {
  readonly match: string;
  readonly score: number;
}

/** What the formulas leave to the deployer. */
export interface ScoreConstants {
  /** A verification counts fully up to this age, in days. */
  readonly verificationFullDays: number;
  /** From this age on a verification counts nothing. */
  readonly verificationZeroDays: number;
  readonly originTable: readonly OriginEntry[];
  readonly freshnessHalfLifeDays: number;
  /** Names of the properties that say from when and until when a node is valid, as `plainName` writes them. */
  readonly validityStartKeys: ReadonlySet<string>;
  readonly validityEndKeys: ReadonlySet<string>;
}

export const validityStartKeys = [
  "issuedate",
  "issuedon",
  "issuedat",
  "dateofissue",
  "issuancedate",
  "validfrom",
  "effectivefrom",
  "effectivedate",
  "startdate",
  "notbefore",
] as const;

export const validityEndKeys = [
  "validuntil",
  "validto",
  "validthrough",
  "validthru",
  "endofvalidity",
  "expirydate",
  "expirationdate",
  "expiredate",
  "expireson",
  "expiresat",
  "expiry",
  "expires",
  "expiretime",
  "dateofexpiry",
  "enddate",
  "notafter",
] as const;

/** A property name as names of dates are compared: lower case, without `_`, `-` and spaces. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_\- ]/g, "");

export const defaultConstants: ScoreConstants = {
  verificationFullDays: 365,
  verificationZeroDays: 730,
  originTable: [],
  freshnessHalfLifeDays: 180,
  validityStartKeys: new Set(validityStartKeys),
  validityEndKeys: new Set(validityEndKeys),
};
