import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import type { RequestHandler } from "express";

type Routes = ServerBuild["routes"];

/** What every area has: the frame, the first page, and the page of paths that lead nowhere. */
const isCommon = ({ id, path }: Routes[string]) =>
  id === "root" || path === undefined || path === "*";

const areaOf = (path = "") => path.split("/")[0] ?? "";

/** The build with some of its routes, for the server's router and the browser's first manifest alike. */
function withRoutes(build: ServerBuild, kept: Routes[string][]): ServerBuild {
  const pick = <T>(all: Record<string, T>): Record<string, T> =>
    Object.fromEntries(kept.flatMap(({ id }) => (all[id] ? [[id, all[id]]] : [])));
  return {
    ...build,
    routes: pick(build.routes),
    assets: { ...build.assets, routes: pick(build.assets.routes) },
  };
}

/**
 * Remix for every path. It ranks all the routes it has anew several times a request, so those of each area (the first
 * segment of a path) have a Remix of their own beside the whole one, which answers whatever names no area as it is
 * written in the routes.
 */
export function remixByArea(build: ServerBuild): RequestHandler {
  const routes = Object.values(build.routes);
  const common = routes.filter(isCommon);
  const handlerFor = (some: ServerBuild) =>
    createRequestHandler({ build: some, mode: build.mode ?? "production" });
  const whole = handlerFor(build);
  const areas = new Map(
    [...new Set(routes.filter((route) => !isCommon(route)).map(({ path }) => areaOf(path)))].map(
      (area) => {
        const own = routes.filter((route) => !isCommon(route) && areaOf(route.path) === area);
        // What takes every path of its area leaves the common ones nothing.
        const isWhole = own.some(({ path }) => path === `${area}/*`);
        const beside = isWhole ? common.filter(({ id }) => id === "root") : common;
        return [area, handlerFor(withRoutes(build, [...beside, ...own]))];
      },
    ),
  );
  return (request, response, next) =>
    (areas.get(areaOf(request.path.slice(1))) ?? whole)(request, response, next);
}
