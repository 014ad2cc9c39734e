/** The suite's public API, for setting up what is measured. */
import { setTimeout as delay } from "node:timers/promises";
import { Refusal } from "./settings.ts";

type Headers = Readonly<Record<string, string>>;

/** A suite that has just started may be busy for a while; 503 means that nothing was carried out. */
const attempts = 10;
const pauseMs = 3_000;

/** One call that has to succeed. @throws Refusal with the answer's own words when it does not */
export const call = async (
  baseUrl: string,
  method: "GET" | "POST" | "DELETE",
  path: string,
  headers: Headers,
  body?: unknown,
): Promise<unknown> => {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    if (response.status !== 503 || attempt >= attempts)
      throw new Refusal(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    await delay(pauseMs);
  }
};

/** A record that was just made. */
export interface Made {
  readonly id: string;
  readonly [field: string]: unknown;
}

export const create = async (
  baseUrl: string,
  serviceAccountToken: string,
  collection: string,
  fields: object,
): Promise<Made> =>
  // A record, or `call` would have thrown.
  (await call(
    baseUrl,
    "POST",
    `/configs/v1/${collection}`,
    { authorization: `Bearer ${serviceAccountToken}` },
    fields,
  )) as Made;
