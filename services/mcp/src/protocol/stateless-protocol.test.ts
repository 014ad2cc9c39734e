import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import type { McpRequest } from "../mcp-request.ts";
import { openStatelessProtocol } from "./stateless-protocol.ts";

it("a client that has disconnected before its stream begins occupies no stream", async () => {
  const mcpRequest = {
    endpoint: { view: { project: { id: newGid("project") } } },
    user: { subject: "ann", configId: "x", claims: {} },
    introspectionRecorded: Promise.resolve(),
  } as unknown as McpRequest; // no other member is read
  const protocol = openStatelessProtocol(
    () => {
      throw new Error("no server is needed");
    },
    { perSubject: 1, perProject: 1, total: 1 },
  );
  let answers = 0;
  const listen = async (): Promise<void> => {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    response.writeHead = () => {
      answers += 1;
      return response;
    };
    response.destroy();
    await protocol.post(
      mcpRequest,
      { jsonrpc: "2.0", id: 1, method: "subscriptions/listen" },
      request,
      response,
    );
  };
  await listen();
  // With the first stream still counted the second one would be refused.
  await listen();
  expect(answers).toBe(0);
  await protocol.close();
});
