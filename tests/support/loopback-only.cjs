// A process that loads this, and each program that it starts, reaches nothing but this machine: a connection or packet
// to another address fails as without a network, and names are not looked up. Programs that are not Node's are passed on
// their environment alone. See run.ts and fenced.ts.
const { ChildProcess } = require("node:child_process");
const dns = require("node:dns");
const { syncBuiltinESMExports } = require("node:module");
const { constants, hostname, networkInterfaces } = require("node:os");

const HERE = /^(127\.|0\.0\.0\.0$|::1?$|::ffff:127\.)/;
const NO_NETWORK = -constants.errno.ENETUNREACH;
const LOCAL = /^(?:.+\.)?localhost\.?$/i;

const setLookingUnlessLeft = (address) => {
  const [bare] = address.split("%");
  return (
    HERE.test(bare) ||
    Object.values(networkInterfaces()).some((own) => own?.some((one) => one.address === bare))
  );
};

/** `place`: which argument of these methods is the address. */
function guard(prototype, names, place, applies = () => true) {
  for (const name of names) {
    const original = prototype[name];
    prototype[name] = function (...args) {
      if (applies(args) && !setLookingUnlessLeft(args[place])) return NO_NETWORK;
      return Reflect.apply(original, this, args);
    };
  }
}

/** Whatever environment a program is given, it loads this too. */
function passOn(target, name) {
  const original = target[name];
  target[name] = function (options, ...rest) {
    const pairs = options.envPairs ?? Object.entries(process.env).map((pair) => pair.join("="));
    const given = pairs.find((pair) => pair.startsWith("NODE_OPTIONS="));
    const others = pairs.filter((pair) => pair !== given);
    const load = `--require ${JSON.stringify(__filename)}`;
    const isPassed = given?.includes(load);
    const all = [isPassed ? given : `${given ?? "NODE_OPTIONS="} ${load}`];
    // What it leaves goes with the run.
    if (!pairs.some((pair) => pair.startsWith("TMPDIR="))) all.push(`TMPDIR=${__dirname}`);
    return Reflect.apply(original, this, [{ ...options, envPairs: [...others, ...all] }, ...rest]);
  };
}

const { TCP } = process.binding("tcp_wrap");
const { UDP } = process.binding("udp_wrap");
guard(TCP.prototype, ["connect", "connect6"], 1);
guard(UDP.prototype, ["connect", "connect6"], 0);
// Without an address the socket is connected.
guard(UDP.prototype, ["send", "send6"], 4, (args) => args.length > 4);
passOn(ChildProcess.prototype, "spawn");
passOn(process.binding("spawn_sync"), "spawn");

// Nothing listens there.
dns.setServers(["127.0.0.1:1"]);
const { lookup } = dns;
const isKnown = (name) => LOCAL.test(name) || name === hostname() || /^[\d.]*$|:/.test(name ?? "");
const notFound = (name) =>
  Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
    ...{ code: "ENOTFOUND", errno: -3008, syscall: "getaddrinfo", hostname: name },
  });
dns.lookup = (name, options, done = options) => {
  if (isKnown(name)) return lookup(name, options, done);
  process.nextTick(done, notFound(name));
  return {};
};
const lookupLater = dns.promises.lookup;
dns.promises.lookup = async (name, options) =>
  isKnown(name) ? lookupLater(name, options) : Promise.reject(notFound(name));
syncBuiltinESMExports();
