/** Middleware for Express. */
export {
  authorize,
  type AuthorizeOptions,
  type RequestLike,
  type ResponseLike,
  typedAuthorize,
} from "./authorize.ts";
