import type { CompatAlias } from "@ikg/service";

/** An alias of a path. The internal context names the called alias to the service. */
export interface Alias {
  readonly path: string;
  readonly name: CompatAlias;
}

/** Alias to canonical path. */
export type Aliases = ReadonlyMap<string, Alias>;

/** @param accepted aliases that the settings enable. */
export const aliasesOf = (accepted: ReadonlySet<CompatAlias>): Aliases =>
  new Map(
    accepted.has("execute") ? [["/contx-iq/v1/execute", { path: "/ciq/v1/execute", name: "execute" }]] : [],
  );

/** A request target with its canonical path. */
export interface CanonicalPath {
  readonly url: string;
  readonly alias: CompatAlias | undefined;
}

export const canonicalPath = (url: string, aliases: Aliases): CanonicalPath => {
  for (const [alias, { path, name }] of aliases) {
    if (url === alias || url === `${alias}/` || url.startsWith(`${alias}?`))
      return { url: path + url.slice(alias.length), alias: name };
  }
  return { url, alias: undefined };
};
