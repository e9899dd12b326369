// Runs the playground and its panel in one process: `tsx scripts/playground/main.ts <service URL> <panel port>`. Its
// first line of output is the service's environment as JSON. Exits on SIGTERM or SIGINT.
import { startPanel } from "./panel/server.ts";
import { startPlayground } from "./playground.ts";

const [serviceUrl = "http://localhost:3000", panelPort = "0"] = process.argv.slice(2);

const fail = (error: Error): never => {
  console.error(error.message);
  process.exit(1);
};

const playground = await startPlayground().catch(fail);
const panel = await startPanel({ playground, serviceUrl, port: Number(panelPort) }).catch(fail);
console.log(JSON.stringify({ env: playground.env, panelUrl: panel.url }));

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, async () => {
    await Promise.all([panel.stop(), playground.stop()]);
    process.exit(0);
  });
