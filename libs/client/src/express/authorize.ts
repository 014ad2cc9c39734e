import type { Action, Decision, Entity } from "../contract/wire.ts";
import type { DecideOptions } from "../decisions/question.ts";
import { formatChallenge } from "../errors/challenge.ts";
import { StepUpRequired } from "../errors/step-up-required.ts";
import type { ActionsOf, IkgSchema, Names, TypedPerson } from "../typed.ts";

/** What the callbacks get unless they name another type, such as `Request` of Express. */
export interface RequestLike {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: unknown;
}

/** What is used of a response. */
export interface ResponseLike {
  status(code: number): { json(body: unknown): unknown };
  setHeader(name: string, value: string): unknown;
}

/** What is used of a person, with the types of a project or without. */
interface Decider {
  // A method: the actions that a typed client accepts are narrower, and those of a route are not checked against them.
  decide(action: string | Action, resource: Entity, options?: DecideOptions): Promise<Decision>;
}

export interface AuthorizeOptions<Request> {
  /** Who calls, as `ikg.as(…)` returns it; undefined for a caller who has not signed in, which is answered with 401. */
  readonly subject: (request: Request) => Decider | undefined | Promise<Decider | undefined>;
  /** Parameters and further context of the decision. */
  readonly decide?: DecideOptions | ((request: Request) => DecideOptions) | undefined;
}

/** A resource; one without an id is never allowed. */
interface Guarded<Type extends string = string> {
  readonly type: Type;
  /** Segments are joined by a slash: in Express 5 a parameter with a wildcard is a list of them. */
  readonly id: string | readonly string[] | undefined;
  readonly properties?: Record<string, unknown> | undefined;
}

type Next = (error?: unknown) => void;

const unauthenticated = (response: ResponseLike, parameters: Readonly<Record<string, string>>): void => {
  response.setHeader("WWW-Authenticate", formatChallenge(parameters));
  response.status(401).json({ message: parameters["error_description"] ?? "Unauthorized" });
};

/** A denial that a stronger sign-in could change says what it would take. */
const deny = (response: ResponseLike, { context }: Decision): void => {
  const [advice] = context?.advice ?? [];
  if (advice === undefined) response.status(403).json({ message: "Forbidden" });
  else unauthenticated(response, { error: "insufficient_user_authentication", ...advice });
};

/**
 * Lets a request pass if its subject may do something with a resource. Otherwise it is answered with 403, or with 401 and a
 * challenge (RFC 9470) if the subject has to sign in or to sign in again. Where nothing could be decided the error goes
 * to the error handler of the application; the request does not pass.
 */
export const authorize =
  <Request = RequestLike>(
    action: string | Action,
    resource: (request: Request) => Guarded | Promise<Guarded>,
    { subject, decide = {} }: AuthorizeOptions<Request>,
  ): ((request: object, response: ResponseLike, next: Next) => Promise<void>) =>
  async (incoming, response, next) => {
    const request = incoming as Request; // Express calls it with the request of the route that it guards
    try {
      const person = await subject(request);
      if (person === undefined) return unauthenticated(response, {});
      const { id, ...of } = await resource(request);
      if (id === undefined) return deny(response, { decision: false });
      const options = typeof decide === "function" ? decide(request) : decide;
      const entity = { ...of, id: typeof id === "string" ? id : id.join("/") };
      const decision = await person.decide(action, entity, options);
      if (!decision.decision) return deny(response, decision);
    } catch (error) {
      if (error instanceof StepUpRequired) return unauthenticated(response, error.advice);
      next(error);
      return;
    }
    next();
  };

/** {@link authorize} for a client with the types of a project: unknown actions and types of resources do not compile. */
type TypedAuthorize<S extends IkgSchema> = <
  T extends Names<S["actions"]>,
  R extends Names<ActionsOf<S, T>>,
  A extends Names<ActionsOf<S, T>[R]>,
  Request = RequestLike,
>(
  action: A,
  resource: (request: Request) => Guarded<R> | Promise<Guarded<R>>,
  options: Omit<AuthorizeOptions<Request>, "subject"> & {
    readonly subject: (
      request: Request,
    ) => TypedPerson<S, T> | undefined | Promise<TypedPerson<S, T> | undefined>;
  },
) => ReturnType<typeof authorize>;

/** The same middleware with the types of a project, as `typed` has them for the client. */
export const typedAuthorize = <S extends IkgSchema>(): TypedAuthorize<S> => authorize as TypedAuthorize<S>; // narrower types of the same call
