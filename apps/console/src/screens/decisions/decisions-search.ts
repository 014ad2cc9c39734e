import { addressText } from "../../text/address-text.ts";

export const periods = ["1h", "24h", "7d", "30d", "all"] as const;
export type Period = (typeof periods)[number];
export const defaultPeriod: Period = "24h";

export const kinds = [
  "decisions",
  "queries",
  "graph",
  "configuration",
  "credentials",
  "other",
  "all",
] as const;
export type Kind = (typeof kinds)[number];
export const defaultKind: Kind = "decisions";

export const results = ["allowed", "denied", "failed"] as const;
export type ResultFilter = (typeof results)[number];

/** Which records are listed: the address has it, so that a link to it shows the same. */
export interface DecisionsSearch {
  /** How far back; absent for a time between `from` and `to`, and for the default. */
  readonly period?: Period;
  /** RFC 3339, UTC. */
  readonly from?: string;
  readonly to?: string;
  readonly kind?: Kind;
  readonly decision?: ResultFilter;
  readonly subject?: string;
  readonly action?: string;
  readonly resource?: string;
  /** Name or gid. */
  readonly policy?: string;
  readonly actor?: string;
}

/** A record, with the list that it was opened from. */
export interface RecordSearch extends DecisionsSearch {
  readonly id?: string;
}

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value);

/** A time of an address, as UTC; undefined for an invalid one. */
const instantOf = (value: unknown): string | undefined => {
  const time = new Date(addressText(value) ?? "");
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
};

/** Members without a value are left out, as addresses do. */
const given = <Search extends object>(search: {
  readonly [Name in keyof Search]: Search[Name] | undefined;
}): Search =>
  Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ""),
  ) as Search; // what is left has values

export const decisionsSearch = (search: Record<string, unknown>): DecisionsSearch => {
  const [from, to] = [instantOf(search["from"]), instantOf(search["to"])];
  const isBetween = from !== undefined || to !== undefined;
  const [period, kind] = [oneOf(periods, search["period"]), oneOf(kinds, search["kind"])];
  return given<DecisionsSearch>({
    period: isBetween || period === defaultPeriod ? undefined : period,
    from,
    to,
    kind: kind === defaultKind ? undefined : kind,
    decision: oneOf(results, search["decision"]),
    subject: addressText(search["subject"]),
    action: addressText(search["action"]),
    resource: addressText(search["resource"]),
    policy: addressText(search["policy"]),
    actor: addressText(search["actor"]),
  });
};

export const recordSearch = (search: Record<string, unknown>): RecordSearch => ({
  ...decisionsSearch(search),
  ...given<Pick<RecordSearch, "id">>({ id: addressText(search["id"]) }),
});

/** Times of records in milliseconds: the first that counts, and the first that no longer counts. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

const hourMs = 3_600_000;
const periodMs: Readonly<Record<Period, number>> = {
  "1h": hourMs,
  "24h": 24 * hourMs,
  "7d": 7 * 24 * hourMs,
  "30d": 30 * 24 * hourMs,
  all: Number.POSITIVE_INFINITY,
};

/** The time that an address is about, seen from now. */
export const timeRange = (
  { period, from, to }: { readonly [Name in "period" | "from" | "to"]?: DecisionsSearch[Name] | undefined },
  now: number,
): TimeRange => {
  const isBetween = from !== undefined || to !== undefined;
  const first = isBetween
    ? from === undefined
      ? 0
      : Date.parse(from)
    : Math.max(0, now - periodMs[period ?? defaultPeriod]);
  return { from: first, to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) };
};
