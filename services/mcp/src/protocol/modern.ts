import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Change, Gid } from "@ikg/contracts";
import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { Visit } from "../visit.ts";
import { dropSlowReader } from "./slow-reader.ts";
import { handOver, visitOf } from "./handing-over.ts";
import type { Message } from "./message.ts";
import { answerError, internalError } from "./rpc.ts";
import type { BuildServer } from "./server.ts";
import { openStreamCounts, type StreamLimits } from "./stream-counts.ts";

/** The revision 2026-07-28: no sessions; open streams hear when the list of resources has changed. */
export interface Modern {
  post(visit: Visit, message: Message, request: IncomingMessage, response: ServerResponse): Promise<void>;
  changed(change: Change | "gap"): void;
  /** Tells every open stream that it is over. */
  endStreams(): void;
  close(): Promise<void>;
}

const rememberedProjects = 1_000;
/** Other replicas hear of a change at about the same time; whoever asks after the news must get the new list. */
const settleMs = 150;
const listening = "subscriptions/listen";

/** Changes after which a stream that was opened before may not go on. */
const ofDoor = new Set<Change["kind"]>(["project", "mcp_server", "token_introspect", "application_agent"]);
/** Changes that can add, change or remove a resource. */
const ofResources = new Set<Change["kind"]>(["knowledge_query", "authorization_policy"]);

/** Ends a stream when its token does. */
const endWithToken = ({ user }: Visit, response: ServerResponse): void => {
  const { exp } = user.claims;
  if (typeof exp !== "number") return;
  const ms = exp * 1000 - Date.now();
  // Longer than a timer can: then somebody else ends it.
  if (ms > 2 ** 31 - 1) return;
  const timer = setTimeout(() => response.destroy(), Math.max(0, ms));
  response.once("close", () => clearTimeout(timer));
};

export const openModern = (build: BuildServer, limits: StreamLimits): Modern => {
  const handlers = new LRUCache<Gid, McpHttpHandler>({
    max: rememberedProjects,
    dispose: (handler, _project, reason) => {
      if (reason === "evict") void handler.close();
    },
  });
  const streams = openStreamCounts(limits);
  const pending = new Map<Gid | "gap", NodeJS.Timeout>();

  const handlerOf = (project: Gid): McpHttpHandler => {
    const known = handlers.get(project);
    if (known !== undefined) return known;
    const made = createMcpHandler(({ authInfo }) => build(visitOf(authInfo), "modern"), { legacy: "reject" });
    handlers.set(project, made);
    return made;
  };

  const forget = (project: Gid): void => {
    const handler = handlers.get(project);
    handlers.delete(project);
    void handler?.close();
  };

  const tell = (whom: Gid | "gap"): void => {
    pending.delete(whom);
    const told = whom === "gap" ? [...handlers.values()] : [handlers.get(whom)];
    for (const handler of told) handler?.notify.resourcesChanged();
  };

  /** One word for many changes that come together. */
  const tellSoon = (whom: Gid | "gap"): void => {
    if (!pending.has(whom))
      pending.set(
        whom,
        setTimeout(() => tell(whom), settleMs),
      );
  };

  /** False when there are as many streams as there may be. */
  const beginStream = ({ door, user }: Visit, response: ServerResponse): boolean => {
    const project = door.view.project.id;
    const end = streams.begin(project, JSON.stringify([project, user.configId, user.subject]));
    if (end === undefined) return false;
    response.once("close", end);
    return true;
  };

  return {
    post: async (visit, message, request, response) => {
      await visit.looked;
      const { fetch } = handlerOf(visit.door.view.project.id);
      if (message.method === listening) {
        if (!beginStream(visit, response)) {
          answerError(response, message.id, internalError, "Subscription limit reached");
          return;
        }
        endWithToken(visit, response);
        dropSlowReader(response);
      }
      await handOver(fetch, visit, request, response, message);
    },
    changed: (change) => {
      if (change === "gap") tellSoon("gap");
      else if (change.project_id === undefined) return;
      else if (ofDoor.has(change.kind)) forget(change.project_id);
      else if (ofResources.has(change.kind)) tellSoon(change.project_id);
    },
    endStreams: () => {
      const open = [...handlers.values()];
      // What still comes gets a handler of its own.
      handlers.clear();
      for (const handler of open) void handler.close();
    },
    close: async () => {
      for (const timer of pending.values()) clearTimeout(timer);
      await Promise.all([...handlers.values()].map((handler) => handler.close()));
    },
  };
};
