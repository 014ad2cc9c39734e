import { type KeyRing, open } from "@ikg/secrets";
import { lazy } from "./lazy.ts";
import type { Log } from "./policies.ts";
import type { StoredRow } from "./stored.ts";

/** An external data resolver as its author wrote it. */
export interface StoredResolver {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly url: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** JSON; undefined without one. */
  readonly payload: string | undefined;
  readonly selector: string;
}

/** Fields as the configs service stores them. */
interface ResolverData {
  readonly url: string;
  readonly method: StoredResolver["method"];
  /** Sealed, because headers hold keys. */
  readonly headers?: string;
  readonly request_payload?: string;
  readonly response_selector: string;
}

/** One state of a resolver; its headers are decrypted once, on first use. */
export interface ResolverState {
  readonly row: StoredRow;
  /** Undefined when its headers cannot be decrypted: no request is sent without them. */
  stored(): StoredResolver | undefined;
}

const openedHeaders = (row: StoredRow, sealed: string, keys: KeyRing | undefined) => {
  if (keys === undefined) throw new Error("no key");
  const place = { record: row.id, field: "headers" };
  return JSON.parse(open(keys, place, sealed)) as StoredResolver["headers"]; // sealed by configs
};

/** @param row with its data. */
export const resolverState = (row: StoredRow, keys: KeyRing | undefined, log: Log): ResolverState => ({
  row,
  stored: lazy(() => {
    const { id, name, version } = row;
    const data = row.data as unknown as ResolverData; // written from the contract's schema alone
    try {
      const headers = data.headers === undefined ? {} : openedHeaders(row, data.headers, keys);
      const { url, method, request_payload: payload, response_selector: selector } = data;
      return { id, name, version, url, method, headers, payload, selector };
    } catch (error) {
      const reason = error instanceof Error ? error.message : "";
      log.warn("external data resolver cannot be opened", { id, reason });
      return undefined;
    }
  }),
});
