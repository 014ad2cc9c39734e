import type { IkgAdmin } from "@ikg/client";

/** The name of who made a change, as far as the caller may read it; else the id. */
export const accountName = ({ serviceAccounts }: IkgAdmin, id: string): Promise<string> =>
  serviceAccounts.get(id).then(
    ({ name }) => name,
    () => id,
  );
