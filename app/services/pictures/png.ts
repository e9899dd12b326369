import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(content.length + 8);
  framed.writeUInt32BE(data.length);
  content.copy(framed, 4);
  framed.writeUInt32BE(crc32(content), content.length + 4);
  return framed;
}

/** A PNG of 8-bit RGB. Each row begins with the octet of its filter. */
export async function encodePng(rows: Buffer, width: number, height: number): Promise<Buffer> {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", await promisify(deflate)(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
