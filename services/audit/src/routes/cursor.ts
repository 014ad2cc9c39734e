/** Cursors of lists: after which sequence they continue. */
export const cursorOf = (sequence: number): string => Buffer.from(`after ${sequence}`).toString("base64url");

/** @returns undefined for a text that is no cursor. */
export const sequenceOf = (cursor: string): number | undefined => {
  const [, digits] =
    /^after ([1-9]\d{0,14})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  return digits === undefined || cursorOf(Number(digits)) !== cursor ? undefined : Number(digits);
};
