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
