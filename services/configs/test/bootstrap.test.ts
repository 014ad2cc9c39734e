import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { newCredential } from "@ikg/auth";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import { readCredentialFile } from "../src/bootstrap/credential-file.ts";
import { firstCredential } from "../src/bootstrap/first-credential.ts";
import { renewCommands } from "../src/bootstrap/renew-commands.ts";
import {
  command,
  edit,
  expireText,
  folder,
  graph,
  newSlot,
  pepper,
  useBootstrap,
} from "./bootstrap-under-test.ts";
import { environmentOfTest } from "./environment.ts";

useBootstrap();

describe("the first credential", () => {
  it("comes with its organization and account, and stays as long as its token is there", async () => {
    const { file, run, records } = newSlot();
    const first = await run();
    expect(first).toMatchObject({ issued: true, replaced: undefined });
    const before = await records();
    expect(before).toEqual([
      { kind: "organization", name: "default", kid: null, data: "{}", bytes: 2, parent: null },
      {
        kind: "service_account",
        name: "bootstrap",
        kid: null,
        data: '{"role":"all_editor"}',
        bytes: 21,
        parent: "organization",
      },
      {
        kind: "service_account_credential",
        name: null,
        kid: first.token?.slice(4, 20),
        data: "{}",
        bytes: 2,
        parent: "service_account",
      },
    ]);
    const again = await run();
    expect(again).toEqual({ ...first, issued: false });
    expect(await records()).toEqual(before);
    expect(await readCredentialFile(file)).toEqual({
      base_url: "http://x",
      organization_id: first.organizationId,
      service_account_id: first.serviceAccountId,
      service_account_token: first.token,
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("stays when its token is lost, spoilt or made with another key", async () => {
    const { file, run, records } = newSlot();
    const first = await run();
    const before = await records();
    const unchanged = { issued: false, token: undefined, replaced: undefined };
    await rm(file);
    expect(await run()).toMatchObject({ ...unchanged, organizationId: first.organizationId });
    await writeFile(file, "{");
    expect(await run()).toMatchObject(unchanged);
    expect(await run(undefined, { key: randomBytes(32) })).toMatchObject(unchanged);
    expect(await records()).toEqual(before);
    expect(await readFile(file, "utf8")).toBe("{");
  });

  it("is replaced on demand", async () => {
    const { file, run, records } = newSlot();
    const first = await run();
    await rm(file);
    const second = await run(undefined, { renew: true });
    expect(second).toMatchObject({
      issued: true,
      organizationId: first.organizationId,
      serviceAccountId: first.serviceAccountId,
    });
    expect(second.replaced?.kid).toBe(first.token?.slice(4, 20));
    await writeFile(file, "{");
    const third = await run(undefined, { renew: true });
    expect(third.replaced?.kid).toBe(second.token?.slice(4, 20));
    const fourth = await run(undefined, { renew: true, key: randomBytes(32) });
    expect(fourth.issued).toBe(true);
    expect((await records()).filter(({ kind }) => kind === "service_account_credential")).toHaveLength(1);
  });

  it("is one when several ask at once", async () => {
    const { file, run, records } = newSlot();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => run()));
    expect(new Set(outcomes.map((outcome) => outcome.organizationId)).size).toBe(1);
    expect(new Set(outcomes.map((outcome) => outcome.token)).size).toBe(1);
    expect(outcomes.filter((outcome) => outcome.issued)).toHaveLength(1);
    expect(await records()).toHaveLength(3);
    expect((await readCredentialFile(file))?.service_account_token).toBe(outcomes[0]?.token);
    expect((await readdir(folder)).filter((name) => !name.endsWith(".json"))).toEqual([]);
  });

  it("is not counted when its token could not be handed over", async () => {
    const { slot, run, records } = newSlot();
    await expect(
      firstCredential(graph.shared, {
        organizationName: "default",
        pepper,
        givenToken: undefined,
        renew: false,
        slot,
        recorded: true,
        heldToken: async () => undefined,
        deliver: () => Promise.reject(new Error("disk full")),
      }),
    ).rejects.toThrow("disk full");
    expect(await records()).toEqual([]);
    expect((await run()).issued).toBe(true);
  });
});

const ends: readonly (readonly [end: string, text: string])[] = [
  ["expired", expireText],
  ["deleted", "MATCH (c:_Record {unique_key: $slot + '/credential'}) DETACH DELETE c"],
  [
    "deleted with its account",
    "MATCH (r:_Record) WHERE r.unique_key IN [$slot + '/credential', $slot + '/service-account'] DETACH DELETE r",
  ],
];

describe("a first credential that has ended", () => {
  it.each(isLongRun() ? ends : ends.slice(-1))("is issued again on demand alone: %s", async (_end, text) => {
    const { slot, file, run, records } = newSlot();
    const first = await run();
    const content = await readFile(file, "utf8");
    await edit(text, { slot });
    const before = await records();
    const nothing = {
      organizationId: first.organizationId,
      token: undefined,
      issued: false,
      isLive: false,
      replaced: undefined,
    };
    // Without a given token, with the former one, and with one that was never registered.
    for (const given of [undefined, first.token, newCredential("sa1").token])
      expect(await run(given)).toMatchObject(nothing);
    expect(await records()).toEqual(before);
    expect(await readFile(file, "utf8")).toBe(content);
    await rm(file);
    expect(await run()).toMatchObject(nothing);

    const second = await run(undefined, { renew: true });
    expect(second).toMatchObject({ organizationId: first.organizationId, issued: true, isLive: true });
    expect((await records()).map(({ kind }) => kind)).toEqual([
      "organization",
      "service_account",
      "service_account_credential",
    ]);
    expect(await run()).toMatchObject({ token: second.token, issued: false });
  });
});

describe("the command", () => {
  it("ends well and says in one line how to issue another credential, as the page does", async () => {
    const { slot, file, run } = newSlot();
    await run();
    await edit(expireText, { slot });
    const env = {
      ...environmentOfTest(),
      CREDENTIAL_PEPPER: pepper.toString("base64"),
      BOOTSTRAP_SLOT: slot,
    };
    const { stdout, stderr } = await command(env, file);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^bootstrap: organization gid:\S+, its first credential has expired or was deleted, nothing was changed; to issue another, .*\n$/,
    );
    const page = await readFile(join(import.meta.dirname, "../../../docs/operations.md"), "utf8");
    for (const text of Object.values(renewCommands)) {
      expect(stderr).toContain(text);
      expect(page).toContain(text);
    }
  }, 60_000);
});
