import type { ConnectionOptions } from "node:tls";

/** The address of Redis as options of ioredis and BullMQ. */
export type RedisAddress = { url: string } | SentinelAddress;

interface SentinelAddress {
  sentinels: Sentinel[];
  /** Of the master, as the Sentinels call it. */
  name: string;
  username?: string;
  password?: string;
  db?: number;
  sentinelUsername?: string;
  sentinelPassword?: string;
  tls?: ConnectionOptions;
  sentinelTLS?: ConnectionOptions;
  enableTLSForSentinelMode?: boolean;
}

const sentinelForm =
  /^redis(?<tls>s?)\+sentinel:\/\/(?:(?<user>[^:@/]*):(?<password>[^@/]*)@)?(?<hosts>[^/?#]+)\/(?<name>[^/?#]+)(?:\/(?<db>\d+))?(?:\?(?<more>[^#]*))?$/;
const hostForm = /^(?:\[(?<six>[0-9a-fA-F:.]+)\]|(?<host>[^:[\]]+))(?::(?<port>\d{1,5}))?$/;
const sentinelPort = 26_379;

interface Sentinel {
  host: string;
  port: number;
}

const sentinelOf = (text: string): Sentinel | undefined => {
  const found = hostForm.exec(text.trim())?.groups;
  const host = found?.["six"] ?? found?.["host"];
  const port = Number(found?.["port"] ?? sentinelPort);
  return host === undefined || port > 65_535 ? undefined : { host, port };
};

/** A member with a value; without one the client's own default holds. */
const optionalMember = <K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> =>
  value === undefined || value === "" ? {} : ({ [name]: value } as Record<K, V>); // of one member

const decode = (text: string | undefined): string | undefined => text && decodeURIComponent(text);

/**
 * The address of one Redis, `redis://` or `rediss://`, or of the Sentinels that know which of several is the master:
 * `redis+sentinel://user:password@host:port,host:port/name/db?sentinel_username=…&sentinel_password=…`, with
 * `rediss+sentinel://` for TLS to both. Only hosts and name are needed.
 *
 * @returns undefined for what is neither.
 */
export const redisAddress = (text: string): RedisAddress | undefined => {
  if (/^rediss?:\/\//.test(text)) return URL.canParse(text) ? { url: text } : undefined;
  const found = sentinelForm.exec(text)?.groups;
  if (found === undefined) return undefined;
  const sentinels = (found["hosts"] ?? "").split(",").map(sentinelOf);
  if (!sentinels.every((each) => each !== undefined)) return undefined;
  const more = new URLSearchParams(found["more"] ?? "");
  try {
    return {
      sentinels,
      name: decodeURIComponent(found["name"] ?? ""),
      ...optionalMember("username", decode(found["user"])),
      ...optionalMember("password", decode(found["password"])),
      ...optionalMember("db", found["db"] === undefined ? undefined : Number(found["db"])),
      ...optionalMember("sentinelUsername", more.get("sentinel_username") ?? undefined),
      ...optionalMember("sentinelPassword", more.get("sentinel_password") ?? undefined),
      ...(found["tls"] === "s" ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    };
  } catch {
    // A percent sign that begins nothing.
    return undefined;
  }
};
