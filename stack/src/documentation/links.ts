/** Links of pages. */

/** The files that a page links to, relative to it, without fragments and titles; addresses with a scheme are left out. */
export const linksOf = (page: string): readonly string[] =>
  [...page.matchAll(/\]\((?![a-z][a-z0-9+.-]*:|#)([^)\s#]+)/gi)].map(([, target = ""]) => target);
