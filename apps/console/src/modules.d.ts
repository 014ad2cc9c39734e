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

/** The library itself, which its name stands for no more. */
declare module "style-mod-original" {
  export { StyleModule } from "style-mod";
}
