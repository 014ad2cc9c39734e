import type { DiagnosticList, Source } from "@ikg/sources";
import { parseDecisionLine, parseEntity, type WrittenEntity } from "./decision-line.ts";
import { type NamedNode, readShortForm } from "./read-graph.ts";
import type { DecisionTest, PolicyTests, QueryTest, SearchTest } from "./schema.ts";
import type { Decision, Entity, Person, PolicyDefinition, QueryDefinition, Search, Test } from "./world.ts";

type Path = readonly PropertyKey[];

/** Names that tests may refer to. */
export interface Names {
  readonly nodes: readonly NamedNode[];
  readonly people: readonly Person[];
  readonly policies: readonly PolicyDefinition[];
  readonly queries: readonly QueryDefinition[];
}

/** A common form of the three kinds of search. An entity is a text; a type alone is searched for. */
interface SearchParts {
  readonly kind: Search["search"];
  readonly title: string;
  readonly subject: string | { readonly type: string };
  readonly action?: string;
  readonly resource: string | { readonly type: string };
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
}

const partsOf = (search: SearchTest["search"]): SearchParts => {
  if ("resources" in search) {
    const { type, ...parts } = search.resources;
    const title = `resources of type ${type} that ${parts.subject} may ${parts.action}`;
    return { ...parts, kind: "resources", title, resource: { type } };
  }
  if ("subjects" in search) {
    const { type, ...parts } = search.subjects;
    const title = `subjects of type ${type} that may ${parts.action} ${parts.resource}`;
    return { ...parts, kind: "subjects", title, subject: { type } };
  }
  const { subject, resource } = search.actions;
  return { ...search.actions, kind: "actions", title: `actions of ${subject} on ${resource}` };
};

interface Found {
  readonly entity: Entity;
  /** Set if the name is that of a person, whose token is sent. */
  readonly person?: Person | undefined;
}

/** Reads the tests of one file. */
class TestReader {
  readonly #source: Source;
  readonly #names: Names;
  readonly #faults: DiagnosticList;
  readonly #warnings: DiagnosticList;

  constructor(source: Source, names: Names, faults: DiagnosticList, warnings: DiagnosticList) {
    this.#source = source;
    this.#names = names;
    this.#faults = faults;
    this.#warnings = warnings;
  }

  read(test: PolicyTests["tests"][number], path: Path): Test | undefined {
    if (typeof test === "string") return this.#decision({ decision: test }, path, path);
    if ("decision" in test) return this.#decision(test, path, [...path, "decision"]);
    return "query" in test ? this.#query(test, path) : this.#search(test, path);
  }

  #decision(test: DecisionTest, path: Path, linePath: Path): Decision | undefined {
    const line = readShortForm(this.#source, linePath, test.decision, parseDecisionLine, this.#faults);
    const as = this.#as(test.as, path);
    if (line === undefined || as === null) return undefined;
    const { action, resource, granted } = line;
    const known = this.#policiesOf(
      ({ actions, resourceType }) => actions.includes(action) && resourceType === resource.type,
    );
    const subject = this.#entity(line.subject, linePath, known);
    if (subject === undefined) return undefined;
    this.#requireAction(action, subject.entity.type, resource.type, linePath);
    this.#warnUnknown(resource, linePath);
    const { status = 200, reason, advice } = test.expect ?? {};
    return {
      kind: "decision",
      title: test.name ?? test.decision,
      place: this.#source.placeOf(path),
      as: as ?? subject.person,
      subject: subject.entity,
      action,
      resource,
      params: { ...test.params, ...line.params },
      context: test.context ?? {},
      expect: { granted, status, reason, advice },
    };
  }

  #query(test: QueryTest, path: Path): Test | undefined {
    const as = this.#as(test.as, path);
    const query = this.#names.queries.find(({ name }) => name === test.query);
    if (query === undefined) {
      const known = this.#names.queries.map(({ name }) => name).join(", ") || "none";
      this.#faults.add(
        this.#source.placeOf([...path, "query"]),
        `unknown query ${test.query}; known: ${known}`,
      );
    }
    const { status = 200, rows, count, advice, order = "exact", columns = "all" } = test.expect;
    const ofRows = rows !== undefined || count !== undefined;
    if (status === 200 ? !ofRows : ofRows)
      this.#faults.add(
        this.#source.placeOf([...path, "expect"]),
        status === 200
          ? "expect: rows, count or status expected"
          : `expect: a response with status ${status} has no rows`,
      );
    if (query === undefined || as === null) return undefined;
    return {
      kind: "query",
      title: test.name ?? `query ${test.query}`,
      place: this.#source.placeOf(path),
      as,
      params: test.params ?? {},
      query: test.query,
      writes: query.compiled?.writes !== undefined,
      expect: { status, advice, rows, order, columns, count },
    };
  }

  #search(test: SearchTest, path: Path): Search | undefined {
    const as = this.#as(test.as, path);
    const { kind, title, action, params = {}, context = {}, ...written } = partsOf(test.search);
    const inside = [...path, "search", kind];
    const read = (key: "subject" | "resource", types: readonly string[]) => {
      const text = written[key];
      if (typeof text !== "string") return { entity: text };
      const entity = readShortForm(this.#source, [...inside, key], text, parseEntity, this.#faults);
      return entity && this.#entity(entity, [...inside, key], types);
    };
    const { resource: target } = written;
    const subjectTypes =
      typeof target === "string"
        ? []
        : this.#policiesOf(
            ({ actions, resourceType }) =>
              action !== undefined && actions.includes(action) && resourceType === target.type,
          );
    const [subject, resource] = [read("subject", subjectTypes), read("resource", [])];
    if (subject === undefined || resource === undefined || as === null) return undefined;
    if (action !== undefined)
      this.#requireAction(action, subject.entity.type, resource.entity.type, [...inside, "action"]);
    return {
      kind: "search",
      search: kind,
      title: test.name ?? title,
      place: this.#source.placeOf(path),
      as: as ?? ("person" in subject ? subject.person : undefined),
      params,
      context,
      subject: subject.entity,
      ...(action === undefined ? {} : { action }),
      resource: resource.entity,
      expect: test.expect,
    };
  }

  /** Null if a name is not in `people`. */
  #as(name: string | undefined, path: Path): Person | undefined | null {
    if (name === undefined) return undefined;
    const person = this.#names.people.find((each) => each.name === name);
    if (person !== undefined) return person;
    const known = this.#names.people.map((each) => each.name).join(", ") || "none";
    this.#faults.add(this.#source.placeOf([...path, "as"]), `as: unknown person ${name}; known: ${known}`);
    return null;
  }

  /** @param types possible types of a subject that is only given by name. */
  #entity({ words, offset }: WrittenEntity, path: Path, types: readonly string[]): Found | undefined {
    const [first = "", second] = words;
    if (second !== undefined) {
      const entity = { type: first, id: second };
      this.#warnUnknown(entity, path);
      return { entity };
    }
    const person = this.#names.people.find(({ name }) => name === first);
    if (person !== undefined) return { entity: { type: person.type, id: person.claims.sub }, person };
    const place = this.#source.placeInText(path, 1, offset + 1);
    const nodes = this.#names.nodes.filter(({ id }) => id === first);
    const [node, other] = nodes;
    if (node !== undefined && other === undefined) return { entity: node };
    if (node !== undefined) {
      const forms = nodes.map(({ type }) => `${type} ${first}`).join(" or ");
      this.#faults.add(place, `several nodes have the external id ${first}: write ${forms}`);
      return undefined;
    }
    const [type, ...others] = types;
    if (type !== undefined && others.length === 0) {
      this.#warnings.add(place, `${first} is neither in people nor a node ${type} ${first} in the graph`);
      return { entity: { type, id: first } };
    }
    this.#faults.add(place, `${first} is neither in people nor in the graph; write TYPE ${first}`);
    return undefined;
  }

  #policiesOf(
    matches: (policy: { actions: readonly string[]; resourceType: string }) => boolean,
  ): readonly string[] {
    const types = this.#names.policies.flatMap(({ compiled }) =>
      compiled?.kind === "kbac" && matches(compiled) ? [compiled.subjectType] : [],
    );
    return [...new Set(types)];
  }

  /** Warns of tests that no policy can grant: they are denied for any graph, and test nothing. */
  #requireAction(action: string, subject: string, resource: string, path: Path): void {
    const types = this.#policiesOf(
      ({ actions, resourceType }) => actions.includes(action) && resourceType === resource,
    );
    if (types.includes(subject)) return;
    this.#warnings.add(
      this.#source.placeOf(path),
      `no policy has the action ${action} of ${subject} on ${resource}`,
    );
  }

  #warnUnknown({ type, id }: Entity, path: Path): void {
    if (this.#names.nodes.some((node) => node.type === type && node.id === id)) return;
    this.#warnings.add(this.#source.placeOf(path), `no node ${type} ${id} in the graph`);
  }
}

/** Reads validated tests. */
export const readTests = (
  source: Source,
  tests: PolicyTests["tests"],
  names: Names,
  faults: DiagnosticList,
  warnings: DiagnosticList,
): readonly Test[] => {
  const reader = new TestReader(source, names, faults, warnings);
  return tests.flatMap((test, index) => reader.read(test, ["tests", index]) ?? []);
};
