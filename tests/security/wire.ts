import { Socket as UdpSocket } from "node:dgram";
import { Socket as TcpSocket } from "node:net";

/** Records where this process's UDP packets and TCP connections go from now on, below any code that decides about them. */
export function tapWire() {
  const sent: { address: string; port: number }[] = [];
  const { send } = UdpSocket.prototype;
  const { connect } = TcpSocket.prototype;
  UdpSocket.prototype.send = function (this: UdpSocket, ...args: unknown[]) {
    // The reader's sockets are connected, so the destination is no argument of the send. The lab passes it.
    const isConnected = typeof args[1] === "function";
    const { port, address } = isConnected
      ? this.remoteAddress()
      : { port: Number(args[1]), address: String(args[2]) };
    sent.push({ port, address });
    return Reflect.apply(send, this, args);
  };
  TcpSocket.prototype.connect = function (this: TcpSocket, ...args: unknown[]) {
    const [options] = args.flat() as { host?: string; port?: number }[];
    sent.push({ port: Number(options?.port), address: String(options?.host) });
    return Reflect.apply(connect, this, args);
  };
  return {
    sent,
    stop() {
      UdpSocket.prototype.send = send;
      TcpSocket.prototype.connect = connect;
    },
  };
}
