/** Left to Node: native code, or loaded late or never. Anything else is one file, which starts in about half the time. */
const APART = ["better-sqlite3", "tr46", "undici"];

/** @type {import('@remix-run/dev').AppConfig} */
export default {
  ignoredRouteFiles: ["**/.*", "**/*.test.{ts,tsx}"],
  server: "./app/server.ts",
  serverBuildPath: "build/index.cjs",
  // Express's modules require Node's own, which an ES module bundled by this compiler cannot.
  serverModuleFormat: "cjs",
  serverDependenciesToBundle: [new RegExp(`^(?!node:|(?:${APART.join("|")})$)[#@\\w]`)],
  watchPaths: ["./db/**/*", "./worker/**/*"],
  // v3_singleFetch stays off: 22 to 30 % slower, it loses request.signal, and CVE-2026-34077 is not mended in Remix 2.
  // v3_lazyRouteDiscovery too: its /__manifest lets one request stop the event loop (CVE-2026-55685).
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: false,
    v3_routeConfig: false,
  },
};
