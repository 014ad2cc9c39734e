import { isNotParamError, lintCypherQuery } from "@neo4j-cypher/language-support";
import { withoutCase } from "./without-case.ts";

/** The two languages that a statement must be valid in. */
export const languages = ["CYPHER 5", "CYPHER 25"] as const;

export type Language = (typeof languages)[number];

const lint = (text: string, language: Language) =>
  lintCypherQuery(`${language} ${text}`, {}, { consoleCommandsEnabled: false });

/**
 * What it says of the shape that an author chose and that runs as he wrote it: what joins much, and names of a CALL
 * body that it does not import.
 */
const isForAuthor = (message: string): boolean =>
  message.startsWith("If a part of a query contains multiple disconnected patterns") ||
  message.startsWith("Variable in subquery is shadowing a variable with the same name");

/** What the vendor's checker says about a text of one language: errors and warnings, parameters left out. */
const diagnosticsOf = (text: string, language: Language): readonly string[] => {
  const { diagnostics, symbolTables } = lint(withoutCase(text), language);
  const messages = diagnostics
    .map(({ message }) => ({ message: typeof message === "string" ? message : message.value }))
    .filter(isNotParamError)
    .map(({ message }) => message);
  // It breaks down without a word on some texts; every printed statement names something that it must have seen.
  const blind = messages.length === 0 && symbolTables.every((table) => table.length === 0);
  const complaints = blind
    ? ["the checker saw nothing"]
    : messages.filter((message) => !isForAuthor(message));
  return complaints.map((complaint) => `${language}: ${complaint}`);
};

/**
 * What the vendor's checker has to say against a statement, in both languages; nothing when it is clean. Some 200 ms
 * for each language.
 */
export const complaintsOf = (text: string): readonly string[] =>
  languages.flatMap((language) => diagnosticsOf(text, language));
