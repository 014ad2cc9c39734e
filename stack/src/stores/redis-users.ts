/** The users of Redis: what each service may do there. docs/operations.md, "Users of Redis". */
import { createHmac } from "node:crypto";
import { type ServiceName, services } from "../services/service-names.ts";

/*
 * A command is allowed when one selector, the one outside of parentheses or one of those, allows it with all of its keys. The
 * commands of a script are judged each by itself, its keys by the selector that allows EVAL.
 */

/** What a connection needs, without any key. */
const connection = "-@all +auth +hello +ping +select +quit +client -@admin -@dangerous +info +time";

const subscribesToChanges = "+subscribe +unsubscribe &ikg:changes";
const announcesChanges = "+publish &ikg:changes";

/** Records are added to a stream of their chain; removing them is for the audit service. */
const emitsRecords = [
  "(+eval ~audit:*)",
  "(+xadd +xrange +xrevrange +memory|usage ~audit:*)",
  "(+hmget %R~audit:bounds)",
  "(+hget +hset +hdel ~audit:waiting)",
  "(+get +set ~audit:waiting-total)",
  "(+sadd ~audit:chains)",
];

/** Heavy statements of projects are counted, and the time of all and of long ones is added up, over all processes. */
const sharesDatabase = [
  "(+eval +zadd +zrange +zcard +zcount +zscore +zrem +zremrangebyscore +hincrby +pexpire ~ikg:{statements}:*)",
  "(+eval +get +set ~ikg:{statements}:time:*)",
];

/** Whether a process is ready, and in which version. */
const reportsItself = ["(+eval +zadd +zrem +zremrangebyscore +zremrangebyrank ~ikg:replicas)"];
const readsReports = ["(+eval +zrange ~ikg:replicas)"];

/** Answers of issuers: one that another service could write would give a bearer any identity there. */
const cachesIntrospection = (name: ServiceName): string => `(+get +set ~bearer:${name}:*)`;

/** The same, and nodes of subjects that were written. */
const introspects = (name: ServiceName): string[] => [
  cachesIntrospection(name),
  "(+exists +set ~tokennode:*)",
];

/** BullMQ: scripts and the structures that they work on. */
const runsQueues = (queues: string): string[] => [
  "(+script|load +script|exists)",
  `(+eval +evalsha +@hash +@list +@set +@sortedset +@stream +@string +del +unlink +exists +expire +pexpire +ttl +pttl +type +rename +scan -@dangerous ~${queues})`,
];

const countsRequests = ["(+eval +evalsha +get +set +incrby +expire +pttl +del ~ikg:rate:*)"];

/** Requests of projects in a second. */
const sharesRequests = ["(+eval +get +set ~ikg:{requests}:*)"];

/** The day on which a credential was used last. */
const notesUse = ["(+set ~ikg:last-use:*)"];
const readsLastUse = ["(+mget ~ikg:last-use:*)"];

const holdsSessions = [
  "(+eval +zadd +zrem +zcard +zcount +zpopmin +zremrangebyscore +hset +hget +hmget +del +pexpire ~ikg:mcp:*)",
];

/** Streams are read, stored elsewhere and removed; sums and bounds are kept; one writer of a chain holds its lease. */
const writesChains = [
  "(+xdel +xlen +del ~audit:*)",
  "(+hset +hdel +hkeys +hgetall ~audit:bounds)",
  "(+hgetall +hvals ~audit:waiting)",
  "(+srem +sscan +smembers ~audit:chains)",
  "(+get +set +pexpire +del ~audit:writer:*)",
  // Versions of the public keys of chains.
  "(+get +set ~audit:keys:*)",
  // Which server holds the streams.
  "(+eval +hmget +hset ~audit:server)",
];

const rules: Readonly<Record<ServiceName, readonly string[]>> = {
  gateway: [
    subscribesToChanges,
    ...emitsRecords,
    ...sharesDatabase,
    ...reportsItself,
    ...countsRequests,
    ...sharesRequests,
    // Of people who administer: no node is written for them.
    cachesIntrospection("gateway"),
    ...notesUse,
  ],
  configs: [
    announcesChanges,
    subscribesToChanges,
    ...emitsRecords,
    ...sharesDatabase,
    ...reportsItself,
    ...readsReports,
    ...readsLastUse,
  ],
  capture: [
    subscribesToChanges,
    ...emitsRecords,
    ...sharesDatabase,
    ...reportsItself,
    ...runsQueues("ikg:import-turns:*"),
  ],
  access: [
    subscribesToChanges,
    ...emitsRecords,
    ...sharesDatabase,
    ...reportsItself,
    ...introspects("access"),
  ],
  ciq: [subscribesToChanges, ...emitsRecords, ...sharesDatabase, ...reportsItself, ...introspects("ciq")],
  mcp: [
    subscribesToChanges,
    ...emitsRecords,
    ...sharesDatabase,
    ...reportsItself,
    ...introspects("mcp"),
    ...sharesRequests,
    ...holdsSessions,
  ],
  "trust-scorer": [
    subscribesToChanges,
    ...emitsRecords,
    ...sharesDatabase,
    ...reportsItself,
    ...runsQueues("ikg:trust-*"),
  ],
  // It publishes announcements that a killed process left.
  audit: [announcesChanges, ...emitsRecords, ...sharesDatabase, ...reportsItself, ...writesChains],
};

/** A service in the names of variables. */
export const variablePrefix = (name: ServiceName): string => name.toUpperCase().replace("-", "_");

/** The variable with the password of a user. */
export const passwordVariable = (name: ServiceName): string => `REDIS_${variablePrefix(name)}_PASSWORD`;

/**
 * Lines of a Redis configuration, one user each, called like its service.
 *
 * @param passwordOf as it stands in the line.
 */
export const redisUserLines = (passwordOf: (name: ServiceName) => string): string[] =>
  services.map((name) =>
    [`user ${name} on >${passwordOf(name)} resetchannels`, connection, ...rules[name]].join(" "),
  );

/** The password of a service at an embedded Redis: of no use to learn another's, or the operator's. */
export const redisPasswordOf = (name: ServiceName, operatorPassword: string): string =>
  createHmac("sha256", operatorPassword).update(`redis user ${name}`).digest("hex").slice(0, 48);

/** The passwords of all services by their variables. */
export const redisPasswords = (operatorPassword: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    services.map((name) => [passwordVariable(name), redisPasswordOf(name, operatorPassword)]),
  );

/** The address for a service; that of a Redis which is not ours stays as it is. */
export const redisUrlOf = (name: ServiceName, operatorUrl: string, operatorPassword: string): string => {
  const url = new URL(operatorUrl);
  if (url.password !== operatorPassword) return operatorUrl;
  url.username = name;
  url.password = redisPasswordOf(name, operatorPassword);
  return url.href;
};
