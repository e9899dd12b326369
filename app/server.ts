import * as build from "@remix-run/dev/server-build";
import { broadcastDevReady, installGlobals } from "@remix-run/node";
import { start } from "./start.server.ts";

installGlobals();
void start(build).then(() => {
  if (build.mode === "development") return broadcastDevReady(build);
});
