import { CommandFault } from "../../command-environment.ts";
import type { World, Person, Test } from "../file/world.ts";
import type { Loader, LoadedWorld } from "../suite/load.ts";
import type { SignedToken } from "../suite/issuer.ts";
import { type Answer, refusalOf } from "../suite/suite.ts";

/** Makes requests to a loaded world. */
export interface TestClient {
  readonly world: World;
  readonly resolverOrigin: string;
  /** Whether all responses are explained, which coverage needs, or only unexpected ones. */
  readonly explainsAll: boolean;
  /** Posts a request, with the token of a person. */
  post(path: string, body: object, options: PostOptions): Promise<Reply>;
}

interface PostOptions {
  readonly as: Person | undefined;
  readonly explain: boolean;
}

export interface Reply {
  readonly answer: Answer;
  /** Claims of the sent token; undefined without a token. */
  readonly claims: Readonly<Record<string, unknown>> | undefined;
}

export const openTestClient = (
  { suite, issuer, resolvers }: Loader,
  world: World,
  { apiKey }: LoadedWorld,
  explainsAll: boolean,
): TestClient => {
  // Signed again every second, so that a token has exactly the age stated in the file.
  const signed = new Map<string, { readonly second: number; readonly token: Promise<SignedToken> }>();
  const tokenOf = (person: Person): Promise<SignedToken> => {
    const second = Math.floor(Date.now() / 1_000);
    const known = signed.get(person.name);
    if (known?.second === second) return known.token;
    const token = issuer.sign(person, world.now);
    signed.set(person.name, { second, token });
    return token;
  };
  return {
    world,
    resolverOrigin: resolvers.origin,
    explainsAll,
    post: async (path, body, { as, explain }) => {
      const bearer = as && (await tokenOf(as));
      const headers = {
        "x-svc-clientkey": apiKey,
        ...(explain ? { "x-explain": "true" } : {}),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer.token}` }),
      };
      const answer = await suite.send("POST", path, headers, body);
      if (answer.status >= 500 || answer.status === 429)
        throw new CommandFault(`${path}: ${refusalOf(answer)}`);
      return { answer, claims: bearer?.claims };
    },
  };
};

/** The members of a request's context. */
export const contextOf = ({ params, ...test }: Test): object => ({
  context: { ...("context" in test ? test.context : {}), input_params: params },
});

const parameter = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g;

/** The parameters of a challenge: `Bearer error="…", max_age="600"`. */
export const challengeOf = ({ headers }: Answer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...(headers.get("www-authenticate") ?? "").matchAll(parameter)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll(/\\(.)/g, "$1"),
    ]),
  );

/** Whether an object has all expected members with their values. */
export const hasMembers = (
  expected: Readonly<Record<string, string>>,
  actual: Readonly<Record<string, string>>,
): boolean => Object.entries(expected).every(([key, value]) => actual[key] === value);
