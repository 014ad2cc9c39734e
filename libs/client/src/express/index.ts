/** Middleware for Express. */
export { authorize, type AuthorizeOptions, type RequestLike, type ResponseLike } from "./authorize.ts";
