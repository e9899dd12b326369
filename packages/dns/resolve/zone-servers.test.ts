import { expect, it } from "vitest";
import { candidates } from "./authority.ts";
import { Network, Read } from "./read.ts";

const never = new AbortController().signal;
const ADDRESSES = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];

it("the servers of a zone that have room are asked before the full ones", () => {
  const network = new Network({
    rootHints: [{ host: "a.root", addresses: ["192.0.2.99"] }],
    trustAnchors: [],
    witnesses: [],
    allowAddresses: ["192.0.2.0/24"],
    port: 53,
  });
  const read = new Read(network, never, () => false);
  const ending = new AbortController();
  const hosts = ADDRESSES.map((address, at) => {
    read.glue.set(`${at}.registry.test`, [address]);
    return `${at}.registry.test`;
  });
  const asked = () => candidates(read, hosts).map(({ address }) => address);
  expect(asked()).toEqual(ADDRESSES);
  for (let each = 0; each < 40; each++)
    void network.pacer.enter("192.0.2.1", true, 10_000, ending.signal);
  expect(asked()).toEqual(["192.0.2.2", "192.0.2.3", "192.0.2.1"]);
  ending.abort();
  read.finish();
});
