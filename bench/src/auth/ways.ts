/** The processes that are asked and the ways to ask them, open for as long as `work` takes. */
import { IkgError } from "@ikg/client";
import { openIkg } from "../clients.ts";
import { openContext } from "../context.ts";
import { gatewayBefore, gatewayProgram } from "../own-services.ts";
import { type Agent, callerOf } from "../project.ts";
import { UserError, type Target } from "../settings.ts";
import { withServers } from "../with-servers.ts";
import { plan } from "./plan.ts";
import type { Asks } from "./throughput.ts";

const ownProgram = (name: string): URL => new URL(name, import.meta.url);
/** No policy knows the action: the answer needs neither the graph nor a rule. */
const subject = { type: "Person", id: "person-1" };
const resource = { type: "Document", id: "document-1" };
const question = JSON.stringify({ subject, action: { name: "BENCH" }, resource });

/** A way that lets a forged bearer pass would be measured for nothing. */
const demandRefusal = async (target: Target, apiKey: string, bearer: string): Promise<void> => {
  const forged = `${bearer.slice(0, -8)}AAAAAAAA`;
  const person = openIkg(target, apiKey).as({ ...subject, token: forged });
  const status = await person.can("BENCH", resource).then(
    () => 200,
    (error: unknown) => (error instanceof IkgError ? error.status : Promise.reject(error)),
  );
  if (status !== 401) throw new UserError(`A forged bearer was answered with ${status} instead of 401.`);
};

export const withAsks = async <T>(
  target: Target,
  project: { readonly id: string; readonly agent: Agent; readonly bearer: string },
  work: (asks: Asks) => Promise<T>,
): Promise<T> => {
  const { agent } = project;
  await demandRefusal(target, agent.apiKey, project.bearer);
  const context = await openContext(target, callerOf(target, project.id, agent), "access", [
    "/access/v1/evaluation",
  ]);
  try {
    return await withServers(plan.callers, async ({ start, open }) => {
      const cheapUrl = await start(ownProgram("cheap-service.ts"), {});
      const cheap = open(cheapUrl);
      const referenceProxy = open(await start(ownProgram("reference-proxy.ts"), { TARGET: cheapUrl }));
      const key = open(await start(gatewayProgram, gatewayBefore(target, cheapUrl)));
      const access = open(target.access);
      const referenceProxyAccess = open(
        await start(ownProgram("reference-proxy.ts"), { TARGET: target.access }),
      );
      const bearer = open(target.gateway);
      const withKey = { "x-svc-clientkey": agent.apiKey };
      const withContext = () => context.headers("/access/v1/evaluation");
      return work({
        cheap: () => cheap.evaluate({}, question),
        referenceProxy: () => referenceProxy.evaluate({}, question),
        key: () => key.evaluate(withKey, question),
        access: () => access.evaluate(withContext(), question),
        referenceProxyAccess: () => referenceProxyAccess.evaluate(withContext(), question),
        bearer: ({ bearer: token }) =>
          bearer.evaluate({ ...withKey, authorization: `Bearer ${token}` }, question),
      });
    });
  } finally {
    context.stop();
  }
};
