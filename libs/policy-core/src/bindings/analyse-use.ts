import type { UseClause } from "../cypher/ast.ts";
import { referenceOf } from "../values/reference.ts";
import type { Report } from "./report.ts";

/**
 * Notes where a text is routed to (policies specification 6.6). The parameter of a USE is no value of the text: it
 * is resolved before the statement runs, so it is no reference and not among the needed parameters.
 */
export const analyseUse = (use: UseClause, report: Report): void => {
  const { argument } = use;
  if (argument.kind === "parameter") {
    const reference = referenceOf(argument.name, [], report.language);
    if ("fault" in reference || reference.kind !== "parameter") {
      report.fault(argument.at, `parameter "$${argument.name}" is reserved and cannot be a location`);
      return;
    }
  } else if (argument.kind === "string" && !/^[^.\s]+\.[^.\s]+$/.test(argument.value)) {
    report.fault(argument.at, "a location is written '<composite>.<constituent>' or as one parameter");
    return;
  }
  report.uses.push(use);
};
