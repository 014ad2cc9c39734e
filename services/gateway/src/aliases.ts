import type { Operation } from "@ikg/contracts";
import type { CompatAlias } from "@ikg/service";

/** Another name of a path: its service hears by which one the caller came. */
export interface Alias {
  readonly path: string;
  readonly name: CompatAlias;
}

/** Other names that are accepted for a path, old to ours. */
export type Aliases = ReadonlyMap<string, Alias>;

/** @param accepted as the setting says. */
export const aliasesOf = (accepted: ReadonlySet<CompatAlias>): Aliases =>
  new Map(
    accepted.has("execute") ? [["/contx-iq/v1/execute", { path: "/ciq/v1/execute", name: "execute" }]] : [],
  );

/** A request line by our names. */
export interface Named {
  readonly url: string;
  readonly alias: CompatAlias | undefined;
}

export const ownName = (url: string, aliases: Aliases): Named => {
  for (const [alias, { path, name }] of aliases) {
    if (url === alias || url === `${alias}/` || url.startsWith(`${alias}?`))
      return { url: path + url.slice(alias.length), alias: name };
  }
  return { url, alias: undefined };
};

const emptyCollection = (operation: string, path: string): Operation => ({
  operation,
  method: "get",
  path,
  service: "configs",
  access: { credential: "service_account" },
  writes: false,
});

/** Lists of collections that there are not: answered without a record, to whoever may list others. */
export const emptyCollections: readonly Operation[] = [
  emptyCollection("list_event_sinks", "/configs/v1/event-sinks"),
  emptyCollection("list_entity_matching_pipelines", "/configs/v1/entity-matching-pipelines"),
];
