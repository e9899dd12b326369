export { createRequestHandler } from "@remix-run/express";
export * from "@remix-run/node";
