export { type ConnectorParts, openConnector } from "./connector.ts";
