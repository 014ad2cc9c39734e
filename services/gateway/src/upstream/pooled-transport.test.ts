import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "@jest/globals";
import { openPooledTransport } from "./pooled-transport.ts";
import { rotatingLookup } from "./rotating-lookup.ts";
import { noTls } from "./upstream-tls.ts";

it("gives up at once where the caller left before its body was read", async () => {
  const transport = openPooledTransport(new URL("http://service.test"), 1, rotatingLookup(), noTls);
  const request = new IncomingMessage(new Socket());
  request.headers["content-length"] = "10";
  const response = new ServerResponse(request);
  request.destroy();
  await once(request, "close");
  const limits = { body: 1_000, bodyMs: 600_000, waitMs: 600_000 };
  await expect(transport.forward(request, [], response, limits)).rejects.toMatchObject({
    kind: "caller_gone",
  });
  transport.close();
});
