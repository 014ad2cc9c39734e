/** The script of `signed-in.html`: hands what the provider sent back to the console, and closes the window. */
import { callbackChannel } from "./callback.ts";

const channel = new BroadcastChannel(callbackChannel);
// A channel is of one origin by itself; it takes no other argument.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
channel.postMessage(location.search);
channel.close();
// The code is of no use without the verifier, which the console has; it need not stay in the history.
history.replaceState(undefined, "", location.pathname);
window.close();
