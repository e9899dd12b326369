/** @type {import('@remix-run/dev').AppConfig} */
export default {
  ignoredRouteFiles: ["**/.*", "**/*.test.{ts,tsx}"],
  server: "./app/server.ts",
  serverModuleFormat: "esm",
  // package.json#imports are bundled: left external, the build passes and the start crashes.
  // Packages of many small ES modules are bundled too: reading them one by one took a fifth of a start.
  serverDependenciesToBundle: [
    /^#/,
    /^(?:zod|drizzle-orm|rou3|croner|openid-client|oauth4webapi|jose|tldts|tldts-core)(?:\/|$)/,
  ],
  watchPaths: ["./db/**/*", "./worker/**/*"],
  // v3_singleFetch stays off: 22 to 30 % slower, and it loses request.signal.
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: true,
    v3_routeConfig: false,
  },
};
