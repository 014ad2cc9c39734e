import { describe, expect, it } from "@jest/globals";
import { prepareBrowser } from "../../../stack/src/system/browser.ts";
import { runInBrowser } from "../../src/fixtures/browser-page.ts";
import { project } from "../../src/fixtures/client-project.ts";
import { environment } from "../../src/environment.ts";

/** @ikg/client in Chromium, from an import map and without a bundler. */
const browser = await prepareBrowser(AbortSignal.timeout(300_000));

const scriptOf = (clientKey: string, serviceToken: string, personToken: string, oldToken: string): string => `
  import { Ikg, IkgAdmin, IkgError, IkgUnreachable, StepUpRequired } from "@ikg/client";

  const baseUrl = location.origin;
  const ikg = new Ikg({ baseUrl, clientKey: ${JSON.stringify(clientKey)} });
  const document = (id) => ({ type: "Document", id });
  const p1 = ikg.as({ type: "Person", id: "p1" });
  const failureOf = (promise) => promise.then(() => "none", (error) => error);

  const session = ikg.session();
  const { results } = await session.capture.nodes([{ type: "Document", external_id: "of-browser" }]);
  const job = await ikg.capture.import([{ node: { type: "Cadet", external_id: "c1" } }]);
  for await (const each of job.progress({ everyMs: 100 })) if (each.status === "done") break;
  const missing = await failureOf(p1.can("EDIT", document("d1")));
  const old = await failureOf(
    ikg.as({ type: "Person", id: "p2", token: ${JSON.stringify(oldToken)} }).query("own").toArray(),
  );
  const unreachableClient = new Ikg({ baseUrl: "http://127.0.0.1:1", clientKey: "k", timeoutMs: 500 });
  const unreachable = await failureOf(unreachableClient.as({ type: "Person", id: "p1" }).can("READ", document("d1")));
  const requests = () =>
    performance.getEntriesByType("resource").filter(({ name }) => name.includes("/evaluation")).length;
  const before = requests();
  const decisions = await Promise.all(["d0", "d1", "d2", "d4"].map((id) => p1.can("READ", document(id))));
  const admin = new IkgAdmin({ baseUrl, token: ${JSON.stringify(serviceToken)}, project: ${JSON.stringify(project.id)} });

  export const result = {
    decisions,
    requests: requests() - before,
    written: results.length,
    seen: await session.as({ type: "Person", id: "p1" }).can("READ", document("of-browser")),
    imported: (await job.state()).nodes.written,
    missing: [missing instanceof IkgError, missing.code],
    old: [old instanceof StepUpRequired, old.advice?.max_age],
    unreachable: [unreachable instanceof IkgUnreachable, unreachable.reason],
    found: (await p1.resources("READ", "Document", { pageSize: 30 }).toArray()).length,
    own: (await ikg.as({ type: "Person", id: "p2", token: ${JSON.stringify(personToken)} }).query("own").toArray()).length,
    policies: (await admin.policies.list()).map(({ name }) => name).includes("may-read"),
  };
`;

describe("the client in a browser", () => {
  // oxlint-disable-next-line jest/no-disabled-tests -- its name is the reason
  if ("absent" in browser) it.skip(`decides, writes and administers: ${browser.absent}`, () => undefined);
  else
    it("decides, writes and administers", async () => {
      const old = { auth_time: Math.floor(Date.now() / 1_000) - 900 };
      const script = scriptOf(
        project.clientKey,
        environment().service_account_token,
        await project.signIn("p2"),
        await project.signIn("p2", old),
      );
      expect(await runInBrowser(browser.program, project.baseUrl, script)).toEqual({
        result: {
          decisions: [false, true, false, true],
          requests: 1,
          written: 1,
          seen: false,
          imported: 1,
          missing: [true, "input_param_missing"],
          old: [true, "300"],
          unreachable: [true, expect.stringMatching(/^(connection|timeout)$/)],
          found: 100,
          own: 100,
          policies: true,
        },
      });
    }, 60_000);
});
