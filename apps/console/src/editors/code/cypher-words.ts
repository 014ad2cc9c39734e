import { functions, operatorWords } from "@ikg/policy-core/vocabulary";

/** Words of clauses and literals; a name may be any of them in most places. */
export const keywords: readonly string[] = [
  ..."ALL AND ANY AS ASC ASCENDING BY CALL CASE COLLECT COUNT DESC DESCENDING DISTINCT ELSE END EXISTS FALSE".split(
    " ",
  ),
  ..."IN IS LIMIT MATCH NONE NOT NULL OFFSET OPTIONAL OR ORDER REDUCE RETURN SINGLE SKIP THEN TRUE UNWIND USE WHEN".split(
    " ",
  ),
  ..."WHERE WITH XOR".split(" "),
];

const keywordSet: ReadonlySet<string> = new Set([...keywords, ...operatorWords]);

export const isKeyword = (word: string): boolean => keywordSet.has(word.toUpperCase());

/** Names of functions, as they are read: in lower case. */
export const functionNames: readonly string[] = [...functions.keys()];
