import type { IncomingMessage, ServerResponse } from "node:http";
import type { ChangeAnnouncement, Gid } from "@ikg/contracts";
import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import type { McpRequest } from "../mcp-request.ts";
import { dropSlowReader } from "./slow-reader.ts";
import { handleWithLibrary, mcpRequestOf } from "./library-handler.ts";
import type { Message } from "./message.ts";
import { answerError, internalError } from "./rpc.ts";
import type { BuildServer } from "./server.ts";
import { openStreamCounts, type StreamLimits } from "./stream-counts.ts";

/** The revision 2026-07-28: no sessions; open streams are notified when the list of resources has changed. */
export interface StatelessProtocol {
  post(
    mcpRequest: McpRequest,
    message: Message,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void>;
  onChange(change: ChangeAnnouncement | "gap"): void;
  /** Ends every open stream in an orderly way. */
  endStreams(): void;
  close(): Promise<void>;
}

const maxProjects = 1_000;
/** Notifications are delayed, so that a notified client gets the new list from any replica. */
const settleMs = 150;
const listenMethod = "subscriptions/listen";

/** Changes after which an open stream is closed. */
const streamKinds = new Set<ChangeAnnouncement["kind"]>([
  "project",
  "mcp_server",
  "token_introspect",
  "application_agent",
]);
/** Changes that can add, change or remove a resource. */
const resourceKinds = new Set<ChangeAnnouncement["kind"]>(["knowledge_query", "authorization_policy"]);

/** Ends a stream when its token does. */
const endWithToken = ({ user }: McpRequest, response: ServerResponse): void => {
  const { exp } = user.claims;
  if (typeof exp !== "number") return;
  const ms = exp * 1000 - Date.now();
  // Longer than a timer can run: other limits close the stream before.
  if (ms > 2 ** 31 - 1) return;
  const timer = setTimeout(() => response.destroy(), Math.max(0, ms));
  response.once("close", () => clearTimeout(timer));
};

/** The library's handlers by project; each notifies its open streams. */
interface Handlers {
  of(project: Gid): McpHttpHandler;
  /** Ends the streams of a project; its next request gets a new handler. */
  end(project: Gid): void;
  endAll(): Promise<void>;
  /** @param project "gap": of every project. */
  notify(project: Gid | "gap"): void;
}

const openHandlers = (build: BuildServer): Handlers => {
  const handlers = new LRUCache<Gid, McpHttpHandler>({
    max: maxProjects,
    dispose: (handler, _project, reason) => {
      if (reason === "evict") void handler.close();
    },
  });
  return {
    of: (project) => {
      const known = handlers.get(project);
      if (known !== undefined) return known;
      const made = createMcpHandler(({ authInfo }) => build(mcpRequestOf(authInfo), "stateless"), {
        legacy: "reject",
      });
      handlers.set(project, made);
      return made;
    },
    end: (project) => {
      const handler = handlers.peek(project);
      handlers.delete(project);
      void handler?.close();
    },
    endAll: async () => {
      const open = [...handlers.values()];
      // Later requests get handlers of their own.
      handlers.clear();
      await Promise.all(open.map((handler) => handler.close()));
    },
    notify: (project) => {
      const notified = project === "gap" ? [...handlers.values()] : [handlers.peek(project)];
      for (const handler of notified) handler?.notify.resourcesChanged();
    },
  };
};

/** Debounces changes that arrive together. */
const debounce = (notify: (project: Gid | "gap") => void) => {
  const pending = new Map<Gid | "gap", NodeJS.Timeout>();
  return {
    schedule: (project: Gid | "gap"): void => {
      if (pending.has(project)) return;
      const timer = setTimeout(() => {
        pending.delete(project);
        notify(project);
      }, settleMs);
      pending.set(project, timer);
    },
    cancel: (): void => {
      for (const timer of pending.values()) clearTimeout(timer);
    },
  };
};

export const openStatelessProtocol = (build: BuildServer, limits: StreamLimits): StatelessProtocol => {
  const handlers = openHandlers(build);
  const streams = openStreamCounts(limits);
  const notifications = debounce((project) => handlers.notify(project));

  /** False when there are as many streams as there may be. */
  const beginStream = (mcpRequest: McpRequest, response: ServerResponse): boolean => {
    const { endpoint, user } = mcpRequest;
    const { project } = endpoint.view;
    const end = streams.begin(project, JSON.stringify([project.id, user.configId, user.subject]));
    if (end === undefined) return false;
    response.once("close", end);
    endWithToken(mcpRequest, response);
    dropSlowReader(response);
    return true;
  };

  return {
    post: async (mcpRequest, message, request, response) => {
      await mcpRequest.introspectionRecorded;
      // Nothing would end the stream of a client that has disconnected.
      if (message.method === listenMethod && response.destroyed) return;
      if (message.method === listenMethod && !beginStream(mcpRequest, response)) {
        answerError(response, message.id, internalError, "Subscription limit reached");
        return;
      }
      const { fetch } = handlers.of(mcpRequest.endpoint.view.project.id);
      await handleWithLibrary(fetch, mcpRequest, request, response, message);
    },
    onChange: (change) => {
      if (change === "gap") notifications.schedule("gap");
      else if (change.project_id === undefined) return;
      else if (streamKinds.has(change.kind)) handlers.end(change.project_id);
      else if (resourceKinds.has(change.kind)) notifications.schedule(change.project_id);
    },
    endStreams: () => void handlers.endAll(),
    close: async () => {
      notifications.cancel();
      await handlers.endAll();
    },
  };
};
