/** The lines of what every way did: the service beside the same by hand and beside the other library, and the gateway. */
import type { Turns } from "../../../stack/src/measurement/turns.ts";
import { atMost, type Line, msText, ratioText, reported } from "../targets.ts";
import { targets } from "./plan.ts";
import type { Ways } from "./ways.ts";

/** @param target what the service may take at most, of the time that it takes by hand */
export const besideLines = (what: string, turns: Turns<keyof Ways>, target: number): readonly Line[] => {
  const p50 = (way: keyof Ways): string => msText(turns.summary(way).p50);
  const figure = p50("ciq");
  const byHand = `by hand: ${p50("driver")}`;
  return [
    {
      what: `${what}, service directly, p50`,
      figure,
      ...atMost(turns.ratio("ciq", "driver", "p50"), target),
      baseline: byHand,
    },
    {
      what: "- compared with @neo4j/graphql",
      figure,
      ...atMost(turns.ratio("ciq", "graphql", "p50"), targets.other),
      baseline: `@neo4j/graphql: ${p50("graphql")}`,
    },
    {
      what: "- compared with a bare HTTP server that runs the statement by hand",
      figure,
      ...reported(turns.ratio("ciq", "bare", "p50")),
      baseline: `such a server: ${p50("bare")}, ${ratioText(turns.ratio("bare", "driver", "p50"))} of the statement alone`,
    },
    {
      what: "- and through the gateway",
      figure: p50("gateway"),
      ...reported(turns.ratio("gateway", "driver", "p50")),
      baseline: byHand,
    },
  ];
};
