/** Searches the logs of a test run for secrets. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../../launch/progress.mjs";
import type { Home } from "../../home.ts";
import { redisPasswordOf } from "../../stores/redis-users.ts";
import { services } from "../../services/service-names.ts";
import type { Secrets } from "../../secrets.ts";
import type { Counts } from "./counts.ts";
import { none, one } from "./counts.ts";

/** Prefix of the values that tests send as secrets or header values. */
export const neverLogged = "never-logged-";

/** Every key and token has a form of its own, so those of all tests are found without knowing them. */
const forms: readonly (readonly [string, RegExp])[] = [
  ["an API key or a service-account token", /\b(?:ak1|sa1)_[0-9a-z]{16}_[A-Za-z0-9_-]{43}/],
  ["a JWT", /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/],
  ["a bearer token", /\bBearer (?!error|realm)[A-Za-z0-9._~+/-]{12,}/i],
  ["a value that a test marked as secret", new RegExp(neverLogged)],
];

export interface SecretMatch {
  /** from 1 */
  readonly line: number;
  readonly what: string;
}

/** The lines of a log that hold a secret; each line once. */
export const secretsIn = (text: string, known: Secrets): readonly SecretMatch[] => {
  const values = [
    ...Object.entries(known),
    ...services.map(
      (name) => [`redis_password of ${name}`, redisPasswordOf(name, known.redis_password)] as const,
    ),
  ];
  return text.split("\n").flatMap((content, index) => {
    const what =
      forms.find(([, form]) => form.test(content))?.[0] ??
      values.find(([, value]) => content.includes(value))?.[0];
    return what === undefined ? [] : [{ line: index + 1, what }];
  });
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

/** One test: no line of any log of the suite holds a secret. Prints the line's position, and never the secret. */
export const checkLogs = ({ logs }: Pick<Home, "logs">, known: Secrets): Counts => {
  const files = filesBelow(logs);
  if (files.length === 0) return none;
  let lines = 0;
  let found = 0;
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    lines += text.split("\n").length;
    for (const { line, what } of secretsIn(text, known)) {
      found += 1;
      say(`${file}:${line} holds ${what}`);
    }
  }
  say(`${lines} lines of logs, ${found} of them with a secret`);
  return one(found === 0);
};
