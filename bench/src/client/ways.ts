/** Ways to ask the same question: by the client, joined and one by one, by `fetch`, and by the raw driver. */
import { Ikg } from "@ikg/client";
import type { Driver } from "neo4j-driver";
import type { Ask } from "../../../stack/src/measurement/measure.ts";
import type { Question } from "../decisions/data.ts";
import { askDriver } from "../decisions/driver.ts";
import type { Project } from "../project.ts";

const ways = ["joined", "alone", "fetch", "driver"] as const;

export type Way = (typeof ways)[number];

const askClient = (baseUrl: string, clientKey: string, join: boolean): Ask<Question> => {
  const ikg = new Ikg({ baseUrl, clientKey, join });
  return ({ person, document }) =>
    ikg.as({ type: "Person", id: person }).can("READ", { type: "Document", id: document });
};

/** What an application without the client writes. */
const askFetch =
  (baseUrl: string, clientKey: string): Ask<Question> =>
  async ({ person, document }) => {
    const response = await fetch(`${baseUrl}/access/v1/evaluation`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-SVC-ClientKey": clientKey },
      body: JSON.stringify({
        subject: { type: "Person", id: person },
        action: { name: "READ" },
        resource: { type: "Document", id: document },
      }),
    });
    const { decision } = (await response.json()) as { readonly decision: boolean }; // the contract's answer
    return decision;
  };

export const asksOf = (
  baseUrl: string,
  { agent, pk }: Project,
  driver: Driver,
): Readonly<Record<Way, Ask<Question>>> => ({
  joined: askClient(baseUrl, agent.apiKey, true),
  alone: askClient(baseUrl, agent.apiKey, false),
  fetch: askFetch(baseUrl, agent.apiKey),
  driver: askDriver(driver, pk),
});
