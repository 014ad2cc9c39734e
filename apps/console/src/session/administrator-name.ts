import type { Administrator } from "@ikg/client";

/** What stands for an administrator on the page. */
export const administratorName = (administrator: Administrator): string =>
  administrator.type === "service_account" ? administrator.name : (administrator.name ?? administrator.sub);
