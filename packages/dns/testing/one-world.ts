import { afterEach } from "vitest";
import { type Net, World, type WorldSetup } from "./world.ts";

const PORT = 10_000 + (process.pid % 10_000);

/** Opens a world at these addresses in place of the one before; the last ends with its test. */
export function oneWorld(net: Net): (setup?: WorldSetup) => Promise<World> {
  let world: World | undefined;
  const close = () => {
    world?.close();
    world = undefined;
  };
  afterEach(close);
  return async (setup = {}) => {
    close();
    world = new World(setup, net, PORT);
    await world.open();
    return world;
  };
}
