import type { Action, Entity, EntityType } from "@ikg/client";
import { openIkg } from "./clients.ts";
import type { Credentials } from "./data-plane.ts";

/** What a question asks for has a type, and may have an id, which is not sent. */
type Sought = EntityType & { readonly id?: unknown };

interface Search<Subject, Resource> {
  readonly subject: Subject;
  readonly action: Action;
  readonly resource: Resource;
  readonly context?: object;
}

const typeOf = ({ type, properties }: Sought): EntityType => ({ type, properties });
const idsOf = (found: readonly { readonly id: string }[]): readonly string[] => found.map(({ id }) => id);

/** The ids of all resources on which a subject may do something. @param pageSize results of one request */
export const findResources = async (
  { subject, action, resource, context }: Search<Entity, Sought>,
  { key, bearer }: Credentials,
  pageSize?: number,
): Promise<readonly string[]> => {
  const person = openIkg({ key }).as({ ...subject, token: bearer });
  return idsOf(
    await person.resources(action, typeOf(resource), { context: { ...context }, pageSize }).toArray(),
  );
};

/** The ids of all subjects that may do something on a resource. */
export const findSubjects = async (
  { subject, action, resource, context }: Search<Sought, Entity>,
  { key }: Pick<Credentials, "key">,
): Promise<readonly string[]> =>
  idsOf(
    await openIkg({ key })
      .subjects(typeOf(subject), action, resource, { context: { ...context } })
      .toArray(),
  );
