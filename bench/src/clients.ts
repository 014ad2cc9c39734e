/** The suite under measurement, for setting up what is measured. */
import { Ikg, IkgAdmin } from "@ikg/client";
import type { Target } from "./settings.ts";

/** A suite that has just started may be busy for a while. */
const connection = { timeoutMs: 60_000, repeatUnexecuted: true } as const;

/** @param project that calls are about */
export const openAdmin = (
  { gateway, serviceAccountToken }: Pick<Target, "gateway" | "serviceAccountToken">,
  project?: string,
): IkgAdmin => new IkgAdmin({ ...connection, baseUrl: gateway, token: serviceAccountToken, project });

export const openIkg = ({ gateway }: Pick<Target, "gateway">, clientKey: string): Ikg =>
  new Ikg({ ...connection, baseUrl: gateway, clientKey });
