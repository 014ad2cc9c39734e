/** A kept connection may end in the moment it is used; a read without a body is then repeated on another one. */
export const isRepeatable = (method: string | undefined, hasBody: boolean): boolean =>
  !hasBody && (method === "GET" || method === "HEAD");
