import { type RefObject, useEffect, useRef } from "react";

/**
 * Scrolls a bar of entries sideways, so that its current entry is in sight on a narrow page.
 *
 * @param selector finds the current entry within the bar.
 * @param current changes with the entry that is current.
 */
export const useCurrentInSight = <Bar extends HTMLElement>(
  selector: string,
  current: string | undefined,
): RefObject<Bar | null> => {
  const bar = useRef<Bar>(null);
  useEffect(() => {
    const entry = bar.current?.querySelector(selector)?.getBoundingClientRect();
    if (bar.current === null || entry === undefined) return;
    const { left, width } = bar.current.getBoundingClientRect();
    // Not by scrollIntoView(), which would move the page as well.
    bar.current.scrollLeft += entry.left - left - (width - entry.width) / 2;
  }, [selector, current]);
  return bar;
};
