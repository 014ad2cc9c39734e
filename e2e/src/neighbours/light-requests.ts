import type { CaptureResults, Decision, ExecuteResponse } from "@ikg/contracts";
import { withKey } from "../requests/data-plane.ts";
import type { Answer } from "../requests/send.ts";
import { documentId, type LightTenant, personId, persons } from "./light-tenant.ts";
import type { Ask } from "./open-loop.ts";

const judged = ({ status, body }: Answer, isCorrect: (body: unknown) => boolean) => ({
  status,
  correct: status === 200 && isCorrect(body),
});

/** Decisions, every other one granted. */
export const askDecision =
  (tenant: LightTenant): Ask =>
  async (number) => {
    const expected = number % 2 === 0;
    const owner = expected ? number : number + 1;
    const question = {
      subject: { type: "Person", id: personId(number) },
      action: { name: "READ" },
      resource: { type: "Document", id: documentId(owner, Math.floor(number / persons)) },
    };
    const answer = await withKey("/access/v1/evaluation", tenant, { json: question });
    return judged(answer, (body) => (body as Decision).decision === expected);
  };

/** A query that answers the documents of one person. */
export const askQuery =
  (tenant: LightTenant): Ask =>
  async (number) => {
    const execution = { id: tenant.queryId, input_params: { person: personId(number) } };
    const answer = await withKey("/ciq/v1/execute", tenant, { json: execution });
    const expected = Array.from({ length: persons }, (_, at) => documentId(number, at));
    return judged(answer, (body) => {
      const ids = (body as ExecuteResponse).data.map(({ nodes }) => nodes?.["d.external_id"]);
      return ids.length === expected.length && expected.every((id) => ids.includes(id));
    });
  };

/** A capture of ten rows. */
export const askCapture =
  (tenant: LightTenant): Ask =>
  async (number) => {
    const nodes = Array.from({ length: 10 }, (_, at) => ({
      type: "Event",
      external_id: `event-${number}-${at}`,
      properties: [{ type: "number", value: number }],
    }));
    const answer = await withKey("/capture/v1/nodes", tenant, { json: { nodes } });
    return judged(answer, (body) => (body as CaptureResults).results.length === nodes.length);
  };
