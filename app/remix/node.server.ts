// These are all parts of Remix that the server uses.
export { createRequestHandler } from "@remix-run/express";
export * from "@remix-run/node";
