import { createHash } from "node:crypto";
import { matcherOf, tokenIntrospectUnder } from "@ikg/contracts";
import type { Collection } from "../records/collection.ts";

type Fields = ReturnType<typeof tokenIntrospectUnder>["fields"];

export const tokenIntrospects = (settings: { readonly allowHttp: boolean }): Collection<Fields> => ({
  ...tokenIntrospectUnder(settings),
  uniqueKey: (body, projectId) => {
    const { parts, fault } = matcherOf(body);
    // Hashed, because issuer and audience together may exceed an index key.
    const digest = createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
    return { key: `token_introspect/${projectId}/${digest}`, fault };
  },
});
