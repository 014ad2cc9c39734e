/** Address of the gateway: the console stands below it at `/console/`. */
export const baseUrl = (): string => new URL("..", document.baseURI).href.replace(/\/$/, "");
