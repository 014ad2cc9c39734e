import type { PreviewOptions, RecordVersions, Validation } from "../contract/wire.ts";
import type { Pages } from "../pages.ts";
import { callAdmin } from "./admin-transport.ts";
import { Collection, type DeleteOptions, type Fields, type ScopeOptions } from "./collection.ts";
import { type CursorOptions, type CursorPage, cursorPages } from "./cursor-pages.ts";

export type RecordVersion = RecordVersions["items"][number];

export interface RollbackOptions extends DeleteOptions {
  /** Why; kept in the change record. */
  readonly message?: string | undefined;
}

/** Policies or queries: they can be validated, and have versions that can be returned to. */
export class LanguageCollection<
  Row extends { readonly id: string },
  New extends object,
  Update extends object,
> extends Collection<Row, New, Update> {
  /**
   * What would be wrong with a text, or noteworthy; nothing is stored.
   *
   * @param preview also what the services would run, with plans, and what it costs for a sample.
   * @throws IkgError 422 with everything that is wrong.
   */
  async validate(fields: New, preview: PreviewOptions = {}, options: ScopeOptions = {}): Promise<Validation> {
    const { signal, timeoutMs } = options;
    const given = this.requestFields(fields as unknown as Fields); // an object of fields
    const known = given["project_id"] === undefined ? await this.scopeQuery(options) : {};
    const json = { ...given, ...known, ...preview };
    const path = `${this.path()}/validate`;
    const call = { method: "POST", path, json, idempotent: true, signal, timeoutMs } as const;
    return (await callAdmin<Validation>(this.parts.transport, call)).body;
  }

  /** Versions of a record, newest first. */
  versions(
    idOrName: string,
    options: CursorOptions & ScopeOptions = {},
  ): Pages<RecordVersion, CursorPage<RecordVersion>> {
    const path = async (): Promise<string> => `${this.path(await this.idOf(idOrName, options))}/versions`;
    return cursorPages(this.parts.transport, path, {}, options);
  }

  /** Makes a new version with the content of a former one. */
  async rollback(idOrName: string, version: number, options: RollbackOptions = {}): Promise<Row> {
    const { message, ifMatch, signal, timeoutMs } = options;
    const path = `${this.path(await this.idOf(idOrName, options))}/rollback`;
    const json = { version, message };
    const call = { method: "POST", path, json, ifMatch, signal, timeoutMs } as const;
    return (await callAdmin<Row>(this.parts.transport, call)).body;
  }
}
