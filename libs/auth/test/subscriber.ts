import { EventEmitter } from "node:events";
import { changesChannel, newGid } from "@ikg/contracts";

/** A subscriber connection under a test's control; it has nothing else of Redis. */
export class Subscriber extends EventEmitter {
  subscribe(): Promise<void> {
    return Promise.resolve();
  }
  ping(): Promise<string> {
    return Promise.resolve("PONG");
  }
  disconnect(): void {
    this.emit("close");
  }
  announce(change: Record<string, unknown>): void {
    this.emit(
      "message",
      changesChannel,
      JSON.stringify({ organization_id: newGid("organization"), action: "updated", ...change }),
    );
  }
  async connect(): Promise<void> {
    this.emit("ready");
    await new Promise(setImmediate);
  }
}
