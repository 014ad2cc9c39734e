import type { DataPlane } from "./data-plane.ts";
import type { Action, Decision, Entity, EntityType } from "./contract/wire.ts";
import { decide } from "./decisions/decide.ts";
import { actionOf, type DecideOptions } from "./decisions/question.ts";
import { type EntityRef, search, type SearchOptions, type SearchPage } from "./decisions/search.ts";
import type { Pages } from "./pages.ts";
import { SignedIn } from "./signed-in.ts";

/** A subject on whose behalf questions are asked, and its token if it has signed in. */
export interface Subject extends Entity {
  readonly token?: string | undefined;
}

/** A type by its name, or with properties. */
export const entityTypeOf = (type: string | EntityType): EntityType =>
  typeof type === "string" ? { type } : type;

/** Questions and queries of one subject: what `ikg.as(subject)` returns. */
export class Person extends SignedIn {
  readonly subject: Entity;
  readonly #plane: DataPlane;

  constructor(plane: DataPlane, { token, ...subject }: Subject) {
    const own = token === undefined ? plane : { ...plane, bearer: token };
    super(own);
    this.#plane = own;
    this.subject = subject;
  }

  /**
   * Whether the subject may do something. Calls of the same turn of the event loop go out as one request.
   *
   * @throws IkgError when the question cannot be decided, for example 422 for a missing parameter.
   */
  async can(action: string | Action, resource: Entity, options?: DecideOptions): Promise<boolean> {
    return (await this.decide(action, resource, options)).decision;
  }

  /** The same with the context of the decision: reason, advice, and with `explain` the explanation. */
  decide(action: string | Action, resource: Entity, options?: DecideOptions): Promise<Decision> {
    return decide(this.#plane, this.subject, action, resource, options);
  }

  /** Resources of a type on which the subject may do something, ordered by id. */
  resources(
    action: string | Action,
    type: string | EntityType,
    options?: SearchOptions,
  ): Pages<EntityRef, SearchPage<EntityRef>> {
    const question = { subject: this.subject, action: actionOf(action), resource: entityTypeOf(type) };
    return search(this.#plane, "resource", question, options);
  }

  /** What the subject may do with a resource. */
  actions(
    resource: Entity,
    options?: SearchOptions,
  ): Pages<{ readonly name: string }, SearchPage<{ readonly name: string }>> {
    return search(this.#plane, "action", { subject: this.subject, resource }, options);
  }
}
