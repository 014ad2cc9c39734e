import type { Administrator } from "@ikg/client";

/** The name of an administrator on the page. */
export const administratorName = (administrator: Administrator): string =>
  administrator.type === "service_account" ? administrator.name : (administrator.name ?? administrator.sub);

/** As records name who made or changed them: the gid of a service account, or issuer and subject of a person. */
export const administratorId = (administrator: Administrator): string =>
  administrator.type === "service_account"
    ? administrator.id
    : `${administrator.issuer}#${administrator.sub}`;
