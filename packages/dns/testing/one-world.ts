import { afterEach, onTestFinished } from "vitest";
import { networkOf, Read } from "../resolve/read.ts";
import type { ReaderSettings } from "../resolve/reader.ts";
import { type Net, World, type WorldSetup } from "./world.ts";

/** Where packets are counted and no server is silent: a busy machine answers late, and is not asked a second time. */
export const PATIENT = 5;

/** Opens a world at these addresses in place of the one before; the last ends with its test. */
export function oneWorld(net: Net, patience = 1): (setup?: WorldSetup) => Promise<World> {
  let world: World | undefined;
  const close = () => {
    world?.close();
    world = undefined;
  };
  afterEach(close);
  return async (setup = {}) => {
    close();
    world = new World({ patience, ...setup }, net);
    await world.open();
    return world;
  };
}

/** A read by these settings, which ends with its test. */
export function openRead(settings: Partial<ReaderSettings> = {}, isAwaited?: () => boolean) {
  const nobody = { rootHints: [], trustAnchors: [], witnesses: [], allowAddresses: [], port: 53 };
  const network = networkOf({ ...nobody, ...settings });
  const read = new Read(network, new AbortController().signal, isAwaited);
  onTestFinished(() => read.finish());
  return { network, read };
}
