/** Whether the suite responded with 404. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof Error && "status" in error && error.status === 404;
