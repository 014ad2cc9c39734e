/** Links of pages. */

/** The files that a page links to, relative to it and without fragments. */
export const linksOf = (page: string): readonly string[] =>
  [...page.matchAll(/\]\((?!http|#)([^)#]+)/g)].map(([, target = ""]) => target);
