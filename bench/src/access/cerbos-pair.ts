/** Cerbos and a gateway before it, for as long as `work` takes. */
import { gatewayBefore, gatewayProgram } from "../own-services.ts";
import { startServerProcess } from "../server-process.ts";
import type { Target } from "../settings.ts";
import { startCerbos } from "./cerbos.ts";
import type { CerbosAddresses } from "./decisions.ts";

export const withCerbos = async <T>(
  target: Target,
  work: (addresses: CerbosAddresses) => Promise<T>,
): Promise<T> => {
  const cerbos = await startCerbos();
  try {
    const gateway = await startServerProcess(gatewayProgram, gatewayBefore(target, cerbos.url));
    try {
      return await work({ direct: cerbos.url, gateway: gateway.url });
    } finally {
      await gateway.stop();
    }
  } finally {
    await cerbos.stop();
  }
};
