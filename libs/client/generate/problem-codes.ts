/** The error catalogue, as the client needs it. */
import { type ProblemCode, problems } from "@ikg/contracts";

const entries = Object.entries(problems) as [ProblemCode, { status: number; message: string }][]; // of the constant

export const problemCodes = (): string => {
  const byStatus = Map.groupBy(entries, ([, { status }]) => status);
  const rows = [...byStatus].map(
    ([status, ofStatus]) =>
      `${status}: [${ofStatus.map(([code, { message }]) => JSON.stringify([code, message])).join(", ")}],`,
  );
  return `
/** The codes of docs/errors.md. */
export type ProblemCode = ${entries.map(([code]) => JSON.stringify(code)).join(" | ")};

/** Codes and their messages, by status. */
export const problems: Readonly<Record<number, readonly (readonly [code: ProblemCode, message: string])[]>> = {
${rows.join("\n")}
};
`;
};
