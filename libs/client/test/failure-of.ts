import type { IkgError } from "../src/errors/ikg-error.ts";

/** The error of a call of the client that fails. @throws Error where it does not */
export const failureOf = (promise: Promise<unknown>): Promise<IkgError> =>
  promise.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => error as IkgError, // tests compare what it has
  );
