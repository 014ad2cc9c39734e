import type { CandidateExplanation, Explanation, QueryExplanation } from "@ikg/contracts";
import { formatPlace } from "@ikg/sources";
import { comparisonText } from "../../explain/comparison-text.ts";
import type { World } from "../file/world.ts";
import { numberOf } from "../report/report.ts";

type Part = NonNullable<CandidateExplanation["part"]>;
/** The position of a part of a policy or query in the test files. */
const placeIn = (world: World, name: string, path: string, from?: Part["from"]): string => {
  const list = path.startsWith("query") ? world.queries : world.policies;
  const found = list.find((each) => each.name === name);
  if (found === undefined) return path;
  const where = from === undefined ? "" : `(line ${from.line}, column ${from.column})`;
  return formatPlace(found.placeOfFault(`${path}: ${where}`));
};

const cypherPath = "policy.condition.cypher";

const partText = (world: World, policy: string, { text, from, certain }: Part): string =>
  `its pattern has no match left after ${text.replaceAll(/\s+/g, " ")} (${placeIn(world, policy, cypherPath, from)})${
    certain ? "" : "; an earlier part may be the cause"
  }`;

const missingText = (ends: readonly string[]): string =>
  `the graph does not contain the ${ends.join(" and the ")}`;

const candidateText = (world: World, candidate: CandidateExplanation): string => {
  const { policy, outcome, filter, part, missing, parameters, location, path } = candidate;
  const because = (reason: string): string => `policy ${policy.name}: ${reason}`;
  switch (outcome) {
    case "granted": {
      const hops = (path?.relationships ?? []).map(
        ({ type, source, target }) => `${source.type} ${source.id} -${type}-> ${target.type} ${target.id}`,
      );
      return because(`grants${hops.length === 0 ? "" : ` by ${hops.join(", ")}`}`);
    }
    case "filter_not_satisfied":
      return because(
        filter === undefined
          ? "its filter is not true"
          : `its filter is not true: ${comparisonText(filter)} (${placeIn(world, policy.name, filter.path)})${
              filter.token_missing ? "; it uses the token, and none was sent" : ""
            }`,
      );
    case "pattern_not_matched":
      if (missing !== undefined) return because(missingText(missing));
      if (part !== undefined) return because(partText(world, policy.name, part));
      return because("the subject is not an identity node");
    case "parameter_missing":
      return because(`parameters are missing: ${(parameters ?? []).join(", ")}`);
    case "wrong_location":
      return because((location ?? []).join("; "));
    case "unknown":
      return because("it cannot be explained");
  }
};

/** The explanation of a decision, one line per policy. */
export const explainDecision = (world: World, explanation: Explanation | undefined): readonly string[] => {
  if (explanation === undefined) return [];
  const { candidates, omitted = 0 } = explanation;
  if (candidates.length === 0) return ["no policy has this action for these types"];
  return [
    ...candidates.map((candidate) => candidateText(world, candidate)),
    ...(omitted === 0 ? [] : [`and ${omitted} more policies`]),
  ];
};

/** The explanation of a query's rows. */
export const explainQuery = (world: World, explanation: QueryExplanation | undefined): readonly string[] => {
  if (explanation === undefined) return [];
  const { policy, query, outcome, missing, part, rows } = explanation;
  const nameOf = (path: string): string => (path.startsWith("query") ? query.name : policy.name);
  return [
    `query ${query.name} uses policy ${policy.name}`,
    ...(missing === undefined ? [] : [`policy ${policy.name}: ${missingText(missing)}`]),
    ...(part === undefined ? [] : [`policy ${policy.name}: ${partText(world, policy.name, part)}`]),
    ...(rows === undefined ? [] : [`its pattern has ${numberOf(rows.pattern, "row")}`]),
    ...(rows?.filters ?? []).map(
      ({ before, after, ...filter }) =>
        `${comparisonText(filter)} matches ${after} of ${numberOf(before, "row")} (${placeIn(world, nameOf(filter.path), filter.path)})`,
    ),
    ...(outcome === "unknown" ? ["the reason could not be determined in time"] : []),
  ];
};
