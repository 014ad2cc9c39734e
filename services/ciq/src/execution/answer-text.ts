import type { ExecuteResponse } from "@ikg/contracts";

/** Members of an answer. */
export interface AnswerMembers {
  /** Members of `data` as JSON. */
  readonly pieces: readonly string[];
  readonly errors: NonNullable<ExecuteResponse["errors"]>;
  /** `page_token` of the first row that did not fit. */
  readonly next: number | undefined;
  readonly explanation: ExecuteResponse["explanation"];
}

const member = (name: keyof ExecuteResponse, value: unknown): string => `,"${name}":${JSON.stringify(value)}`;

/** An `ExecuteResponse` as JSON text in pieces. */
export const answerText = ({ pieces, errors, next, explanation }: AnswerMembers): readonly string[] => [
  '{"data":[',
  ...pieces.flatMap((piece, index) => (index === 0 ? [piece] : [",", piece])),
  "]",
  ...(next === undefined ? [] : [member("next_page_token", next)]),
  ...(errors.length === 0 ? [] : [member("errors", errors)]),
  ...(explanation === undefined ? [] : [member("explanation", explanation)]),
  "}",
];
