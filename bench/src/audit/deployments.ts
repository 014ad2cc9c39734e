/** Two deployments on the suite's stores, each an access service and a gateway before it: one keeps no records. */
import type { Ask } from "../../../stack/src/measurement/measure.ts";
import { accessProgram, gatewayBefore, gatewayProgram, storesOf } from "../own-services.ts";
import { UserError, type Target } from "../settings.ts";
import { withServers } from "../with-servers.ts";
import { plan } from "./plan.ts";

export interface Deployments {
  readonly recording: Ask<{ readonly body: string }>;
  readonly silent: Ask<{ readonly body: string }>;
}

/** @param apiKey of the agent that asks. The deployments last as long as `work`. */
export const withDeployments = async <T>(
  target: Target,
  apiKey: string,
  work: (deployments: Deployments) => Promise<T>,
): Promise<T> => {
  const { configEncryptionKey } = target;
  if (configEncryptionKey === undefined) throw new UserError("CONFIG_ENCRYPTION_KEY is not set.");
  return withServers(plan.callers, async ({ start, open }) => {
    const deploy = async (records: boolean): Promise<Ask<{ readonly body: string }>> => {
      const setting = { AUDIT_RECORDS: String(records) };
      const access = await start(accessProgram, {
        ...storesOf(target),
        CONFIG_ENCRYPTION_KEY: configEncryptionKey,
        ...setting,
      });
      const client = open(await start(gatewayProgram, { ...gatewayBefore(target, access), ...setting }));
      return ({ body }) => client.evaluate({ "x-svc-clientkey": apiKey }, body);
    };
    return work({ recording: await deploy(true), silent: await deploy(false) });
  });
};
