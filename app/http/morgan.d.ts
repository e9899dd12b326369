/** What remix-serve's request logger offers to change how it logs; it has no types of its own. */
declare module "morgan" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Token = (request: IncomingMessage, response: ServerResponse) => string | undefined;
  type Tokens = Record<"method" | "url" | "status" | "response-time", Token>;

  const morgan: {
    /** Names a format; a line that is null is not printed. */
    format(
      name: string,
      line: (tokens: Tokens, request: IncomingMessage, response: ServerResponse) => string | null,
    ): void;
  };
  export default morgan;
}
