// All that the server takes from Remix.
export { createRequestHandler } from "@remix-run/express";
export * from "@remix-run/node";
