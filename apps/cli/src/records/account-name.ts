import type { IkgAdmin } from "@ikg/client";

/** The name of the account that made a change if the caller may read it, otherwise its id. */
export const accountName = ({ serviceAccounts }: IkgAdmin, id: string): Promise<string> =>
  serviceAccounts.get(id).then(
    ({ name }) => name,
    () => id,
  );
