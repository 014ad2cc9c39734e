import { RefreshAhead, SingleFlight } from "@ikg/concurrency";
import { watchChanges } from "@ikg/announcements";
import type { Redis } from "ioredis";
import type { AuthLog } from "../credentials.ts";
import { lifetimeMsBy } from "../announced-lifetime.ts";
import type { AdministratorBindings } from "./bindings.ts";

export interface BindingCache {
  /** The same object until it is read again: then those who hold it are judged anew. */
  current(): Promise<AdministratorBindings | undefined>;
  close(): Promise<void>;
}

/** Caches the role bindings for people until a binding, an organization or a project changes. */
export const openBindingCache = (
  read: () => Promise<AdministratorBindings | undefined>,
  redis: Redis,
  log: AuthLog,
  now: () => number,
): BindingCache => {
  const loads = new SingleFlight<"all", AdministratorBindings | undefined>();
  const refreshAhead = new RefreshAhead<object>(now, 1);
  let kept: { readonly value: AdministratorBindings | undefined; readonly at: number } | undefined;
  /** Incremented by every change, because a read that began before it may be outdated. */
  let generation = 0;
  const invalidate = (): void => {
    generation++;
    kept = undefined;
    loads.clear();
  };
  const changes = watchChanges(redis, log, {
    onChange: ({ kind }) => {
      if (kind === "role_binding" || kind === "organization" || kind === "project") invalidate();
    },
    onGap: invalidate,
  });
  const load = (): Promise<AdministratorBindings | undefined> =>
    loads.run("all", async () => {
      const before = generation;
      const at = now();
      const value = await read();
      if (before === generation) kept = { value, at };
      return value;
    });
  return {
    current: async () => {
      const lifetimeMs = lifetimeMsBy(changes);
      if (kept === undefined || now() - kept.at >= lifetimeMs) return load();
      refreshAhead.start(kept, kept.at, lifetimeMs, load);
      return kept.value;
    },
    close: () => changes.close(),
  };
};
