import { type Identity, Ikg, IkgError } from "@ikg/client";
import { useMutation } from "@tanstack/react-query";
import { baseUrl } from "../../../../session/base-url.ts";
import { forgetRefusedKey } from "../../../../session/forget-refused-key.ts";
import { useApplicationKey } from "../../../../session/use-application-key.ts";
import { reasonOf } from "./refusal.ts";

export type Verdict =
  | { readonly isAccepted: true; readonly person: Identity }
  | { readonly isAccepted: false; readonly reason: string };

/** Asks the suite for whom a token stands, with the key of this tab. A refused token is a verdict, and no error. */
export const useWhoami = (projectId: string) => {
  const key = useApplicationKey(projectId);
  const check = useMutation({
    // A token is kept no longer than the answer is shown.
    gcTime: 0,
    mutationFn: async (token: string): Promise<Verdict> => {
      if (key === undefined) throw new Error("An application key is required.");
      const ikg = new Ikg({ baseUrl: baseUrl(), clientKey: key.key });
      try {
        return { isAccepted: true, person: await ikg.withToken(token).whoami({ timeoutMs: 30_000 }) };
      } catch (error) {
        const reason = error instanceof IkgError ? reasonOf(error.summary) : undefined;
        if (reason === undefined) throw error;
        return { isAccepted: false, reason };
      }
    },
    onError: (error) => forgetRefusedKey(projectId, error),
  });
  return { check, hasKey: key !== undefined };
};
