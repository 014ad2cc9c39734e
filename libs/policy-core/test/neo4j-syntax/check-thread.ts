/** One thread of the vendor's checker: takes a text, answers with what there is to say against it. */
import { parentPort } from "node:worker_threads";
import { complaintsOf } from "./checker.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (text: string) => parentPort?.postMessage(complaintsOf(text)));
