import type { QueryExplanation } from "@ikg/contracts";
import type { ReadExplanation, RowCounts } from "@ikg/policy-core/explain";

type StoredExplanation = Pick<QueryExplanation, "outcome" | "missing" | "part" | "filter" | "rows">;

const toRowCounts = ({ pattern, filters }: RowCounts): NonNullable<StoredExplanation["rows"]> => ({
  pattern,
  filters: filters.map(({ rows: after, leaves, ...part }, index) => ({
    ...part,
    before: filters[index - 1]?.rows ?? pattern,
    after,
    ...(leaves === undefined ? {} : { leaves: [...leaves] }),
  })),
});

/** An explanation in the shape of the contract. */
export const toExplanation = (explanation: ReadExplanation): StoredExplanation => {
  switch (explanation.outcome) {
    case "matched": {
      const { rows } = explanation;
      return { outcome: "rows", ...(rows === undefined ? {} : { rows: toRowCounts(rows) }) };
    }
    case "filter_not_satisfied": {
      const { part, certain, rows } = explanation;
      const filter = { ...part, certain };
      return {
        outcome: "filter_not_satisfied",
        filter,
        ...(rows === undefined ? {} : { rows: toRowCounts(rows) }),
      };
    }
    case "ends_missing":
      return { outcome: "pattern_not_matched", missing: explanation.ends };
    case "pattern_not_matched": {
      const { part, certain } = explanation;
      return { outcome: "pattern_not_matched", part: { ...part, certain } };
    }
    case "unknown":
      return { outcome: "unknown" };
  }
};
