/** The questions of this measurement over HTTP, to the gateway or to the service behind it. */
import { openEvaluations } from "../../../stack/src/measurement/evaluations.ts";
import type { Ask } from "../../../stack/src/measurement/measure.ts";
import type { Question } from "./data.ts";

export interface Client {
  readonly ask: Ask<Question>;
  close(): Promise<void>;
}

/** @param headers authenticate a call; evaluated for every call */
export const openClient = (
  baseUrl: string,
  connections: number,
  headers: () => Readonly<Record<string, string>>,
): Client => {
  const evaluations = openEvaluations(baseUrl, connections);
  return {
    ask: ({ person, document }) =>
      evaluations.evaluate(
        headers(),
        JSON.stringify({
          subject: { type: "Person", id: person },
          action: { name: "READ" },
          resource: { type: "Document", id: document },
        }),
      ),
    close: () => evaluations.close(),
  };
};
