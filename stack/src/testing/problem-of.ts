import { Problem } from "@ikg/contracts";

/** The problem with which work fails. @throws Error where it does not fail, or fails with anything else */
export const problemOf = async (work: Promise<unknown>): Promise<Problem> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error;
  throw new Error("no problem was thrown", { cause: error });
};
