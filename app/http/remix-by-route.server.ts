import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import type { RequestHandler } from "express";
import { addRoute, createRouter, findRoute } from "rou3";

type Route = ServerBuild["routes"][string];

/** The build with these routes alone, for the server's router and for what renders the page alike. */
function withRoutes(build: ServerBuild, kept: readonly Route[]): ServerBuild {
  const pick = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(kept.flatMap(({ id }) => (all[id] ? [[id, all[id]]] : [])));
  return {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}

/** A route's path as the router here spells it. */
const patternOf = ({ path = "" }: Route) => `/${path.replace(/\*$/, "**")}`;

/**
 * Remix for every path. It ranks all the routes it has anew several times a request, so each route has a Remix of its
 * own with nothing beside it but the frame, made when it is first asked for. What no route takes as it is written, and
 * what belongs to none, is the whole one's: it decides as if it were the only one.
 */
export function remixByRoute(build: ServerBuild): RequestHandler {
  const handlerFor = (some: ServerBuild) =>
    createRequestHandler({ build: some, mode: build.mode ?? "production" });
  const { root, ...others } = build.routes;
  const whole = handlerFor(build);
  const router = createRouter<() => RequestHandler>();
  for (const route of Object.values(others)) {
    if (!root || route.parentId !== root.id || route.path === "*") continue;
    let handler: RequestHandler | null = null;
    addRoute(router, "", patternOf(route), () => {
      handler ??= handlerFor(withRoutes(build, [root, route]));
      return handler;
    });
  }
  return (request, response, next) => {
    const { path } = request;
    // An empty segment is one to Remix, and none to this router.
    const found = path.includes("//") ? undefined : findRoute(router, "", path);
    (found ? found.data() : whole)(request, response, next);
  };
}
