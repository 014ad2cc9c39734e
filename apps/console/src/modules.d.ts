declare module "*.css";

declare module "virtual:operation-roles" {
  const roles: Readonly<Record<string, readonly string[]>>;
  export default roles;
}

declare module "cytoscape-fcose" {
  import type { Ext } from "cytoscape";
  const extension: Ext;
  export default extension;
}
