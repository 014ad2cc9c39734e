import { describe, expect, it } from "@jest/globals";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { type AgentCaller, effectiveLimits, type Gid, newGid } from "@ikg/contracts";
import { openInFlight } from "./in-flight.ts";

const agentOf = (org: Gid): AgentCaller => ({
  kind: "agent",
  credential_kid: newGid("application_agent_credential"),
  org,
  project: newGid("project"),
  application: newGid("application"),
  agent: newGid("application_agent"),
  permissions: [],
});
const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

/** Of 8 connections; a project may have 3 requests under way. */
const open = () => {
  const refused: string[] = [];
  const inFlight = openInFlight(
    { limitsOf: () => ({ ...effectiveLimits(undefined), requests_in_flight: 3 }) },
    { take: () => undefined },
    { perCredential: 3, sockets: 8 },
    (limit) => void refused.push(limit),
  );
  return { inFlight, refused };
};

describe("requests in flight", () => {
  it("of all projects of an organization leave connections to a service for others", () => {
    const { inFlight, refused } = open();
    const org = newGid("organization");
    const responses = Array.from({ length: 6 }, newResponse);
    for (const response of responses) inFlight.enter(agentOf(org), "ciq", response);
    expect(() => inFlight.enter(agentOf(org), "ciq", newResponse())).toThrow(
      expect.objectContaining({
        code: "too_many_requests",
        errors: [expect.stringMatching(/^organization requests in flight: at most 6 .*_SOCKETS, 8\)$/)],
      }),
    );
    expect(refused).toEqual(["organization requests in flight"]);
    // Neither another service nor another organization is affected.
    inFlight.enter(agentOf(org), "access", newResponse());
    inFlight.enter(agentOf(newGid("organization")), "ciq", newResponse());
    responses[0]?.emit("close");
    inFlight.enter(agentOf(org), "ciq", newResponse());
  });

  it("of a refused request count nowhere", () => {
    const { inFlight, refused } = open();
    const agent = agentOf(newGid("organization"));
    const responses = Array.from({ length: 3 }, newResponse);
    for (const response of responses) inFlight.enter(agent, "ciq", response);
    for (let i = 0; i < 10; i++) expect(() => inFlight.enter(agent, "ciq", newResponse())).toThrow();
    expect(new Set(refused)).toEqual(new Set(["requests_in_flight"]));
    for (const response of responses) response.emit("close");
    for (const response of responses) inFlight.enter(agent, "ciq", response);
  });
});
