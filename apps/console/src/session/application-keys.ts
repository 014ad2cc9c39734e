import { ObservableMap } from "./observable-map.ts";

/** Keys of application agents, by which the data plane is called. They live in the memory of the tab. */
export interface ApplicationKey {
  readonly key: string;
  /** Undefined for a key that was pasted. */
  readonly credential: { readonly credentialId: string; readonly expireTime: string } | undefined;
}

/** One key for each project. */
export type ApplicationKeys = ObservableMap<ApplicationKey>;

/** Keys that ask: decisions, searches, queries. */
export const applicationKeys: ApplicationKeys = new ObservableMap();

/** Keys that write graphs. */
export const importKeys: ApplicationKeys = new ObservableMap();
