import * as build from "@remix-run/dev/server-build";
import { broadcastDevReady, installGlobals } from "@remix-run/node";
import { start } from "./start.server.ts";

installGlobals();
await start(build);
if (build.mode === "development") await broadcastDevReady(build);
