/** The code of an error of Node or of a library, as `ENOENT`; empty without one. */
export const errorCode = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
