import { afterAll, beforeAll } from "@jest/globals";
import type { Tenant } from "../configuration/tenant.ts";
import { createBoth } from "../create-both.ts";
import { type Beside, besideLightTenant, warmUp } from "./beside-light-tenant.ts";
import { createBareTenant, createHeavyTenant, type HeavyTenant } from "./heavy-tenant.ts";
import { createLightTenant, type LightTenant } from "./light-tenant.ts";

/** Two tenants of one suite, each in an organization of its own. */
export interface Neighbours<Heavy extends Tenant = HeavyTenant> {
  readonly heavy: Heavy;
  readonly light: LightTenant;
  /** Runs a load of the heavy tenant while the light one works. */
  beside<T>(heavy: () => Promise<T>): Promise<Beside<T>>;
}

type Limits = Readonly<Record<string, number>>;

const neighboursWith = <Heavy extends Tenant>(createHeavy: () => Promise<Heavy>): Neighbours<Heavy> => {
  let heavy: Heavy | undefined;
  let light: LightTenant | undefined;
  beforeAll(async () => {
    [light, heavy] = await createBoth(createLightTenant(), createHeavy());
    await warmUp(light);
  }, 120_000);
  afterAll(async () => {
    await heavy?.remove();
    await light?.remove();
  }, 120_000);
  const made = <T>(tenant: T | undefined): T => {
    if (tenant === undefined) throw new Error("the tenants are made before the first test");
    return tenant;
  };
  return {
    get heavy() {
      return made(heavy);
    },
    get light() {
      return made(light);
    },
    beside: (load) => besideLightTenant(made(light), load),
  };
};

/** Makes them before the tests of a file and removes them after. @param limits of the heavy tenant's project */
export const useNeighbours = (limits?: Limits): Neighbours =>
  neighboursWith(() => createHeavyTenant(limits === undefined ? {} : { limits }));

/** The same with a heavy tenant whose project is nearly empty. */
export const useBareNeighbours = (limits: Limits): Neighbours<Tenant> =>
  neighboursWith(() => createBareTenant({ limits }));
