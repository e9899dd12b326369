import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequestHandler } from "@remix-run/express";
import { installGlobals, type ServerBuild } from "@remix-run/node";
import express, { type RequestHandler } from "express";
import { afterAll, beforeAll, expect, it } from "vitest";
import { remixByRoute } from "./remix-by-route.server.ts";

installGlobals();

const PATHS: Record<string, string | undefined> = {
  "routes/_index": undefined,
  "routes/$": "*",
  "routes/docs._index": "docs",
  "routes/docs.api": "docs/api",
  "routes/p.$slug": "p/:slug",
  "routes/api.$": "api/*",
};

function fakeBuild(): ServerBuild {
  const answer = (id: string) => () => new Response(id);
  const route = (id: string, path: string | undefined) => ({
    id,
    parentId: "root",
    path,
    index: path === undefined || id.endsWith("_index"),
    module: { loader: answer(id) },
  });
  const ids = ["root", ...Object.keys(PATHS)];
  return {
    mode: "production",
    publicPath: "/build/",
    assetsBuildDirectory: "public/build",
    future: {},
    entry: { module: { default: () => new Response() } },
    routes: {
      root: { id: "root", path: "", module: { default: () => null } },
      ...Object.fromEntries(Object.entries(PATHS).map(([id, path]) => [id, route(id, path)])),
    },
    assets: { routes: Object.fromEntries(ids.map((id) => [id, { id, module: id }])) },
  } as unknown as ServerBuild;
}

let server: Server;
let origin = "";
beforeAll(async () => {
  const site = express();
  const build = fakeBuild();
  const isWhole: RequestHandler = ({ headers }, _, next) =>
    next(headers["x-whole"] ? undefined : "route");
  site.all("*", isWhole, createRequestHandler({ build, mode: "production" }));
  site.all("*", remixByRoute(build));
  server = site.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const answerTo = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(origin + path, { headers })).text();

it.each([
  ["/", "routes/_index"],
  ["/docs", "routes/docs._index"],
  ["/docs/", "routes/docs._index"],
  ["/docs/api?x=1", "routes/docs.api"],
  ["/docs/nothing", "routes/$"],
  ["/docs/api/", "routes/docs.api"],
  ["/docs//api", "routes/$"],
  ["/DOCS", "routes/docs._index"],
  ["/p/slug/more", "routes/$"],
  ["/p/", "routes/$"],
  ["/p/slug", "routes/p.$slug"],
  ["/P/slug", "routes/p.$slug"],
  ["/%70/slug", "routes/p.$slug"],
  ["//p/slug", "routes/$"],
  ["/p", "routes/$"],
  ["/nowhere", "routes/$"],
  ["/api", "routes/api.$"],
  ["/api/", "routes/api.$"],
  ["/api/a/b", "routes/api.$"],
  ["/apiary", "routes/$"],
])("answers %s as the whole build would: %s", async (path, id) => {
  expect(await answerTo(path)).toBe(id);
  expect(await answerTo(path, { "X-Whole": "yes" })).toBe(id);
});
