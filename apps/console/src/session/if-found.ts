import { isNotFound } from "@ikg/client";

/** What a read returns; undefined where the service answers that it does not exist. */
export const ifFound = async <T>(read: Promise<T>): Promise<T | undefined> => {
  try {
    return await read;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};
