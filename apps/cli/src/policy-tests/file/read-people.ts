import type { DiagnosticList, Source } from "@ikg/sources";
import { instantText } from "./schema.ts";
import type { NamedNode } from "./read-graph.ts";
import type { Claims, Person, PolicyDefinition } from "./world.ts";

/** Claims that are times and may be written as dates. */
export const timeClaims = ["auth_time", "iat", "nbf", "exp"] as const;

const checkTimes = (source: Source, name: string, claims: Claims, faults: DiagnosticList): void => {
  for (const claim of timeClaims) {
    const value = claims[claim];
    if (value === undefined || typeof value === "number" || instantText.safeParse(value).success) continue;
    faults.add(
      source.placeOf(["people", name, claim]),
      `${claim}: seconds since 1970 or a date-time with offset expected, such as 2026-01-31T09:00:00Z`,
    );
  }
};

/** The node type of a person by the graph, otherwise by the policies. */
const typeOf = (
  { sub }: Claims,
  nodes: readonly NamedNode[],
  policies: readonly PolicyDefinition[],
): readonly string[] => {
  const found = nodes.filter(({ id }) => id === sub);
  const identities = found.filter(({ isIdentity }) => isIdentity);
  const known = identities.length > 0 ? identities : found;
  if (known.length > 0) return known.map(({ type }) => type);
  const [subject = "Person"] = policies.flatMap(({ compiled }) =>
    compiled === undefined || compiled.subjectType === "_Application" ? [] : [compiled.subjectType],
  );
  return [subject];
};

/** Reads the people of a test file. */
export const readPeople = (
  source: Source,
  people: Readonly<Record<string, Claims>>,
  nodes: readonly NamedNode[],
  policies: readonly PolicyDefinition[],
  faults: DiagnosticList,
): readonly Person[] =>
  Object.entries(people).map(([name, claims]) => {
    checkTimes(source, name, claims, faults);
    const [type = "Person", ...others] = typeOf(claims, nodes, policies);
    const place = source.placeOf(["people", name, "sub"]);
    if (others.length > 0)
      faults.add(
        place,
        `sub: nodes of several types have the external id ${claims.sub} (${[type, ...others].join(", ")}); mark one as identity`,
      );
    return { name, claims, type, place: source.placeOf(["people", name, "iss"]) };
  });
