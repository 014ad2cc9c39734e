/** Pages that take up to this multiple of the quickest one are noise; slower ones competed with other work. */
const noise = 1.5;

/** Weight of the newest page in the moving average: one slow page alone says little. */
const weight = 0.5;

/** Milliseconds of pause for each millisecond that a page lost to other work. */
const pausePerLostMs = 8;
/** Longest pause, as a multiple of the time of the page. */
const maxPause = 12;

/** Growth of the quickest time with each page, so that a database that has become slower is the new reference. */
const decay = 1.01;

/**
 * Returns how long to pause after a page, in milliseconds.
 *
 * @param workedMs milliseconds that the page took.
 * @param nodes number of its nodes.
 */
export type Pace = (workedMs: number, nodes: number) => number;

/**
 * Decisions and queries take precedence. A range works without a pause while its pages take as long as on an idle database, and
 * pauses longer the slower they get: the time of a page is the earliest sign of other work.
 *
 * @param percent largest share of its time that a range is worked on.
 */
export const openPace = (percent: number): Pace => {
  const always = 100 / percent - 1;
  let quickest = Infinity;
  let usual: number | undefined;
  let pages = 0;
  return (workedMs, nodes) => {
    const each = workedMs / Math.max(1, nodes);
    quickest = Math.min(each, quickest * decay);
    usual = usual === undefined ? each : usual + (each - usual) * weight;
    // The first page of a range is slow because it is the first, not because of the work of others.
    if (pages === 1) usual = Math.min(usual, each);
    pages += 1;
    const slower = quickest > 0 ? usual / quickest : 1;
    const contentionPause = slower < noise ? 0 : Math.min(maxPause, (slower - 1) * pausePerLostMs);
    return workedMs * Math.max(always, contentionPause);
  };
};
