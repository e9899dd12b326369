/** What a program imports of @deed/client, whatever kind of module it is. */
import { Deed, DeedError, type Outcome } from "@deed/client";

const deed = new Deed({ url: "http://127.0.0.1:1" });
const outcome: Promise<Outcome> = deed.prove("acme.com", { timeout: 0 });
outcome.catch((error: unknown) => {
  console.log(error instanceof Error && error.message, typeof DeedError);
});
