/** What a page needs besides what all pages may do. */
interface PagePolicy {
  /** Sources of styles besides this origin. */
  readonly styles?: readonly string[];
  /** Origins besides this one that the page may call. */
  readonly connections?: readonly string[];
  readonly furtherDirectives?: readonly string[];
}

const sourcesOf = (others: readonly string[]): string => ["'self'", ...others].join(" ");

/** The header `Content-Security-Policy`: a page loads the files next to it and calls this address; no page may frame it. */
export const contentSecurityPolicy = ({
  styles = [],
  connections = [],
  furtherDirectives = [],
}: PagePolicy): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${sourcesOf(styles)}`,
    `connect-src ${sourcesOf(connections)}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...furtherDirectives,
  ].join("; ");
