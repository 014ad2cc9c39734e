import { describe, expect, it } from "@jest/globals";
import { internalContextHeader, signInternalContext } from "@ikg/auth";
import { type Caller, newGid } from "@ikg/contracts";
import { openInternalContexts } from "./internal-contexts.ts";

const key = Buffer.alloc(32, 1);
const caller: Caller = {
  kind: "service_account",
  credential_kid: "k",
  org: newGid("organization"),
  service_account: newGid("service_account"),
  role: "all_editor",
};

describe("internal contexts", () => {
  it("that do not verify are told to the operator: at once, then counted", async () => {
    let now = Date.now();
    const told: unknown[] = [];
    const log = { error: (message: string, fields: object) => void told.push([message, fields]) };
    const contextOf = openInternalContexts(
      "access",
      { INTERNAL_CONTEXT_KEY: key, INTERNAL_CONTEXT_FORMER_KEYS: [] },
      log as never,
      () => now,
    );
    const ask = (context: string) => contextOf({ headers: { [internalContextHeader]: context } });
    const foreign = await signInternalContext(Buffer.alloc(32, 2))(caller, "access");
    const own = await signInternalContext(key)(caller, "access");
    for (let times = 0; times < 4; times++)
      await expect(ask(foreign)).rejects.toMatchObject({
        code: "internal_context_invalid",
        status: 503,
        headers: { "Retry-After": "5" },
      });
    await expect(ask(own)).resolves.toEqual({ caller, address: undefined });
    const message = expect.stringContaining("INTERNAL_CONTEXT_KEY");
    expect(told).toEqual([[message, { cause: "signature verification failed", refused: 1 }]]);
    now += 10_000;
    await expect(ask("")).rejects.toMatchObject({ status: 503 });
    expect(told.slice(1)).toEqual([[message, { cause: "missing", refused: 4 }]]);
    now += 60_000;
    await expect(ask(own)).rejects.toMatchObject({ status: 503 });
    expect(told.slice(2)).toEqual([[message, { cause: "expired", refused: 1 }]]);
    expect(JSON.stringify(told)).not.toContain(own.slice(0, 30));
  });
});
