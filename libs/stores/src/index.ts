export { openServiceCatalog } from "./catalog.ts";
export { openServiceGraph } from "./graph.ts";
export { openServiceIntrospection } from "./introspection.ts";
