/** A promise with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: Error) => void;
}

/** `Promise.withResolvers`, which Node 20 lacks. */
export const createDeferred = <T>(): Deferred<T> => {
  let [resolve, reject]: [Deferred<T>["resolve"], Deferred<T>["reject"]] = [() => undefined, () => undefined];
  const promise = new Promise<T>((onResolve, onReject) => {
    [resolve, reject] = [onResolve, onReject];
  });
  return { promise, resolve: (value) => resolve(value), reject: (reason) => reject(reason) };
};
