// Everything the server uses from Remix.
export { createRequestHandler } from "@remix-run/express";
export * from "@remix-run/node";
