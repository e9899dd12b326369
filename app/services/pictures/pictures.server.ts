import { DeedError } from "../errors.server.ts";
import { drawPicture, type PictureText } from "./draw.ts";
import { HEIGHT, type PictureParts, readPictureParts, WIDTH } from "./picture-parts.ts";
import { encodePng } from "./png.ts";

/** Each has about 20 kB. */
const MAX_KEPT = 200;
const MAX_UNDER_WAY = 20;

/** Draws the pictures of proofs one at a time, and keeps the last ones. Reads nothing before the first. */
export class Pictures {
  readonly #kept = new Map<string, Buffer<ArrayBuffer>>();
  readonly #underWay = new Map<string, Promise<Buffer<ArrayBuffer>>>();
  #last: Promise<unknown> = Promise.resolve();
  #parts: PictureParts | null = null;

  /** A picture as PNG. Throws unavailable if too many are waited for. */
  async png(text: PictureText): Promise<Buffer<ArrayBuffer>> {
    const key = JSON.stringify(text);
    const known = this.#kept.get(key) ?? this.#underWay.get(key);
    if (known) return known;
    if (this.#underWay.size >= MAX_UNDER_WAY) throw new DeedError("unavailable", { retryAfter: 5 });
    const drawing = this.#last.then(() => this.#draw(text));
    this.#last = drawing.catch(() => {});
    this.#underWay.set(key, drawing);
    try {
      const png = await drawing;
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined && this.#kept.size >= MAX_KEPT) this.#kept.delete(oldest);
      this.#kept.set(key, png);
      return png;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #draw(text: PictureText): Promise<Buffer<ArrayBuffer>> {
    this.#parts ??= await readPictureParts();
    return Buffer.from(await encodePng(drawPicture(this.#parts, text), WIDTH, HEIGHT));
  }
}
