import { IkgError } from "./ikg-error.ts";

/** Whether what was asked for does not exist, or not for this caller: the response was 404. */
export const isNotFound = (error: unknown): boolean => error instanceof IkgError && error.status === 404;
