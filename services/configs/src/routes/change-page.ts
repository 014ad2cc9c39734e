import { changePage } from "@ikg/contracts";
import { z } from "zod";

const cursorFault = "not a cursor returned by this endpoint";

/** What an endpoint that lists in pages answers as `next_cursor` for the last item of a page; opaque to callers. */
export const cursorOf = (last: string): string => Buffer.from(`after ${last}`).toString("base64url");

const lastOf = (cursor: string): string | undefined => {
  const [, last] = /^after ([0-9a-f]{1,64})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  return last === undefined || cursorOf(last) !== cursor ? undefined : last;
};

/** Query parameters of a page. */
export const pageParameters = {
  cursor: z
    .string({ error: "string expected" })
    .optional()
    .transform((text, context) => {
      if (text === undefined || text === "") return undefined;
      const last = lastOf(text);
      if (last === undefined) context.addIssue({ code: "custom", message: cursorFault });
      return last;
    }),
  pagesize: z
    .string({ error: "number expected" })
    .regex(/^0*[1-9]\d*$/, { error: "integer of at least 1 expected" })
    .default(String(changePage))
    .transform((text) => Math.min(Number(text), changePage)),
};

/** A page as it is answered. @param last of the page, when there are more. */
export const pageAnswer = (items: readonly unknown[], last: string | undefined) => ({
  items,
  has_more: last !== undefined,
  next_cursor: last === undefined ? "" : cursorOf(last),
});
