export { SingleFlight } from "./single-flight.ts";
export { untilAborted, withTimeout } from "./waiting.ts";
