// All that the server takes from Remix.
export { createRequestHandler } from "@remix-run/express";
export {
  type ActionFunctionArgs,
  type Cookie,
  type CookieOptions,
  createCookie,
  createCookieSessionStorage,
  type EntryContext,
  type HeadersFunction,
  installGlobals,
  json,
  type LoaderFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  type SerializeFrom,
  type ServerBuild,
  type TypedResponse,
} from "@remix-run/node";
