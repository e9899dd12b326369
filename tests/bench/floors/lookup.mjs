// A bare lookup: dns-packet and one UDP socket, with answers matched by id.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { decode, encode, streamDecode, streamEncode } from "dns-packet";

const port = Number(process.env.DNS_PORT);
const socket = createSocket("udp4");
const waiting = new Map();
let count = 0;

socket.on("message", (bytes) => {
  const answer = decode(bytes);
  waiting.get(answer.id)?.(answer);
  waiting.delete(answer.id);
});

const queryFor = (name, type) => {
  count = (count + 1) & 0xffff;
  return { type: "query", id: count, questions: [{ name, type, class: "IN" }] };
};

/** Asks one question over UDP. */
export function ask(address, name, type) {
  const query = queryFor(name, type);
  return new Promise((resolve) => {
    waiting.set(query.id, resolve);
    socket.send(encode(query), port, address);
  });
}

/** Asks one question over TCP. */
export async function askOverTcp(address, name, type) {
  const connection = connect(port, address);
  connection.write(streamEncode(queryFor(name, type)));
  const [bytes] = await once(connection, "data");
  connection.destroy();
  return streamDecode(bytes);
}

/** The address of the first nameserver in a referral. */
export const referredTo = ({ authorities, additionals }) =>
  additionals.find(({ type, name }) => type === "A" && name === authorities[0].data).data;
