import type { IncomingMessage, ServerResponse } from "node:http";
import type { Tenant } from "@ikg/concurrency";
import { Problem, isJsonObject } from "@ikg/contracts";
import type { BodyMemory } from "../limits/body-memory.ts";
import type { BodyPace } from "../limits/body-pace.ts";
import { malformedBody } from "./malformed-body.ts";

/** Levels of objects and arrays that a body may nest. */
export const maxDepth = 32;
export const defaultBodyLimit = 2 * 1024 * 1024;

const jsonType = /^application\/json[ \t]*(?:;|$)/i;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** True when `value` nests no deeper than `levels`. */
export const nestsWithin = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!nestsWithin(item, levels - 1)) return false;
    return true;
  }
  for (const item of Object.values(value)) if (!nestsWithin(item, levels - 1)) return false;
  return true;
};

/** False when a JSON text begins more than `levels` objects and arrays: one that begins fewer nests no deeper. */
const beginsAtMost = (text: string, levels: number): boolean => {
  let left = levels;
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if (--left < 0) return false;
  return true;
};

/**
 * The JSON object in a body. A member called `__proto__` becomes an own property of the result, as JSON.parse makes
 * it; nothing here merges or assigns members.
 *
 * @throws Problem `malformed_body` (400) when the type, the encoding or the text is not that of a JSON object, or
 * when it nests deeper than 32 levels.
 */
export const parseBody = (contentType: string | undefined, bytes: Uint8Array): object => {
  if (contentType === undefined || !jsonType.test(contentType))
    throw malformedBody("Content-Type application/json expected");
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw malformedBody("JSON in UTF-8 expected", cause);
  }
  if (!isJsonObject(value)) throw malformedBody("object expected");
  if (!beginsAtMost(text, maxDepth) && !nestsWithin(value, maxDepth))
    throw malformedBody(`at most ${maxDepth} levels`);
  return value;
};

/**
 * Reads a body of at most `limit` bytes. The rest of one that is too large is left to Node, which reads and drops
 * it, so that the client sees the response instead of a broken connection.
 *
 * @throws Problem `body_too_large` (413).
 */
export const readBody = (request: IncomingMessage, limit: number): Promise<Uint8Array> => {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw new Problem("body_too_large");
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (settle: () => void) => {
      request.off("data", take).off("end", end).off("close", gone).off("error", gone);
      settle();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) done(() => reject(new Problem("body_too_large")));
      else chunks.push(chunk);
    };
    const end = () =>
      done(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
    const gone = () => done(() => reject(malformedBody("the body ended early")));
    request.on("data", take).on("end", end).on("close", gone).on("error", gone);
  });
};

/** Bodies up to this are bounded by the number of connections alone. */
const smallBody = 16 * 1024;
/** Bodies over this delay other requests noticeably. */
const largeBody = 64 * 1024;

/** Reads the body of a request, for a project, or for an organization where a service account calls. */
export type ReadBody = (
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  tenant: Tenant,
) => Promise<Uint8Array>;

export interface BodyBounds {
  readonly memory: BodyMemory;
  readonly pace: BodyPace;
  /** How long a request waits for both, in milliseconds; shorter than any caller of a service waits. */
  readonly waitMs: number;
}

/**
 * Reads bodies within the memory of the process, and gives out large ones at its pace. A body counts until its response
 * ends: what was parsed of it lives as long. One without a length counts as the largest that is allowed, until it is
 * read.
 *
 * @throws Problem what `readBody`, `BodyMemory.reserve` and `BodyPace.admit` throw.
 */
export const boundedBodies =
  ({ memory, pace, waitMs }: BodyBounds): ReadBody =>
  async (request, response, limit, tenant) => {
    pace.note(tenant);
    const length = request.headers["content-length"];
    const expected = length === undefined ? limit : Number(length);
    const hasNone = length === undefined && request.headers["transfer-encoding"] === undefined;
    if (hasNone || expected <= smallBody || expected > limit) return readBody(request, limit);
    const came = performance.now();
    const reservation = await memory.reserve(tenant, expected);
    const waited = performance.now() - came;
    const checkOpen = (): void => {
      if (response.destroyed || response.closed) throw malformedBody("the body ended early");
    };
    if (response.destroyed || response.closed) reservation.release();
    checkOpen();
    response.once("close", () => reservation.release());
    const bytes = await readBody(request, limit);
    reservation.shrink(bytes.length);
    if (bytes.length > largeBody) await pace.admit(tenant, bytes.length, Math.max(0, waitMs - waited));
    checkOpen();
    return bytes;
  };
