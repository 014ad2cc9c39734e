/** Pages that are somewhat slower than the quickest are noise; pages that are so many times slower met the work of others. */
const noise = 1.5;

/** Of what a page took, this share counts at once, the rest with the pages that follow: one slow page is no news yet. */
const weight = 0.5;

/** Milliseconds of rest for each millisecond that a page lost to others, and for each that it worked at most. */
const restPerLostMs = 8;
const mostRest = 12;

/** The quickest page is forgotten by as much with each page: a database that became slower for good is the new measure. */
const forgetting = 1.01;

/** Says how long to rest after a page. @param workedMs of the page. @param nodes of it. */
export type Pace = (workedMs: number, nodes: number) => number;

/**
 * Decisions and queries go first. A range works without a rest while its pages take what they take on an idle database,
 * and rests the longer the more they take: what others ask of the database shows in nothing sooner.
 *
 * @param percent share of its time that a range is worked on at most.
 */
export const openPace = (percent: number): Pace => {
  const always = 100 / percent - 1;
  let quickest = Infinity;
  let usual: number | undefined;
  let pages = 0;
  return (workedMs, nodes) => {
    const each = workedMs / Math.max(1, nodes);
    quickest = Math.min(each, quickest * forgetting);
    usual = usual === undefined ? each : usual + (each - usual) * weight;
    // The first page of a range is slow because it is the first, not because of the work of others.
    if (pages === 1) usual = Math.min(usual, each);
    pages += 1;
    const slower = quickest > 0 ? usual / quickest : 1;
    const contentionRest = slower < noise ? 0 : Math.min(mostRest, (slower - 1) * restPerLostMs);
    return workedMs * Math.max(always, contentionRest);
  };
};
