import { readdirSync } from "node:fs";

const out = "../../../../.cache/bench/remix-app";
const files = (folder) => readdirSync(new URL(folder, import.meta.url));
const own = new Set(files("app/routes"));
/** Deed's routes, added to the floor's own because Remix ranks and tries all its routes on every request. */
const others = files("../../../../app/routes").filter((file) => !own.has(file));

/** The path of a route file: "domains.$id_.archive.tsx" is "domains/:id/archive". */
const pathOf = (file) =>
  file
    .replace(/\.tsx?$/, "")
    .split(".")
    .filter((part) => part !== "_index")
    .map((part) => part.replace(/_$/, "").replace(/^\$$/, "*").replace(/^\$/, ":"))
    .join("/");

/** The same compiler, module format and flags as Deed's own. @type {import('@remix-run/dev').AppConfig} */
export default {
  serverModuleFormat: "esm",
  serverBuildPath: `${out}/build/index.js`,
  assetsBuildDirectory: `${out}/public/build`,
  cacheDirectory: `${out}/cache`,
  routes: (defineRoutes) =>
    defineRoutes((route) => {
      for (const file of others) route(pathOf(file), "routes/about.tsx", { id: file });
    }),
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: false,
    v3_routeConfig: false,
  },
};
