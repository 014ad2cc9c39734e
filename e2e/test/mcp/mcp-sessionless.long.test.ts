import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { ann, cars, listen, useMcpProject } from "../../src/fixtures/mcp-project.ts";
import { modernCall } from "../../src/mcp/mcp.ts";
import { configs } from "../../src/requests/configs.ts";

useMcpProject();

interface StreamEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Appends each event of the stream to `events` as it arrives. */
const readEvents = async (response: Response, events: StreamEvent[]): Promise<void> => {
  let text = "";
  const decoder = new TextDecoder();
  // fetch yields bytes.
  for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      if (data !== undefined) events.push(JSON.parse(data) as StreamEvent);
      text = text.slice(end + 2);
    }
  }
};

describe("the revision 2026-07-28", () => {
  it("a stream acknowledges first, and tells that the list of resources has changed", async () => {
    const ending = new AbortController();
    const response = await listen(ann, {
      id: "listening",
      signal: ending.signal,
      notifications: { resourcesListChanged: true, toolsListChanged: true },
    });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const events: StreamEvent[] = [];
    const reading = readEvents(response, events).catch(() => undefined);
    const subscription = { "io.modelcontextprotocol/subscriptionId": "listening" };
    await eventually(
      async () => events.length,
      (count) => count === 1,
    );
    expect(events[0]).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { resourcesListChanged: true }, _meta: subscription },
    });
    const description = { policy_id: undefined, status: "INACTIVE" };
    const stored = await configs(`/knowledge-queries/${cars.otherQueryId}`);
    const { policy_id, query } = stored.body as Record<string, unknown>;
    const put = (status: string) =>
      configs(`/knowledge-queries/${cars.otherQueryId}`, {
        method: "PUT",
        json: { ...description, policy_id, query, status },
      });
    expect((await put("INACTIVE")).status).toBe(200);
    await eventually(
      async () => events.length,
      (count) => count === 2,
    );
    expect(events[1]).toMatchObject({
      method: "notifications/resources/list_changed",
      params: { _meta: subscription },
    });
    const listed = await modernCall(cars.projectId, "resources/list", {}, { token: ann });
    const { resources } = listed.body.result as { resources: object[] };
    expect(resources).toHaveLength(1);
    expect((await put("ACTIVE")).status).toBe(200);
    await eventually(
      async () => events.length,
      (count) => count === 3,
    );
    ending.abort();
    await reading;
  });
});
