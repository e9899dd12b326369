import { afterEach } from "vitest";
import { type Net, World, type WorldSetup } from "./world.ts";

const PORT = 10_000 + (process.pid % 10_000);

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
    world = new World({ patience, ...setup }, net, PORT);
    await world.open();
    return world;
  };
}
