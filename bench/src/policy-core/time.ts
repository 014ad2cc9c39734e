import { median } from "../../../stack/src/measurement/statistics.ts";

/** Milliseconds of one call: the median over `rounds`, each the mean of as many calls as fill `roundMs`. */
export const timeOf = (work: () => unknown, roundMs: number, rounds: number): number => {
  for (const end = performance.now() + roundMs; performance.now() < end;) work();
  const means = Array.from({ length: rounds }, () => {
    const start = performance.now();
    let calls = 0;
    let now = start;
    while (now - start < roundMs) {
      work();
      calls += 1;
      now = performance.now();
    }
    return (now - start) / calls;
  });
  return median(means);
};
