import { launch, newFolder } from "../support/service.ts";
import { rested, seen, type Walker } from "./walker.ts";

type Json = Record<string, unknown>;

/** Starts Firefox and returns the address it takes WebDriver BiDi at. */
async function startFirefox() {
  const { child, printed, ended } = launch("firefox-esr", [
    "--headless",
    "--remote-debugging-port=0",
    ...["--profile", newFolder(), "--no-remote", "about:blank"],
  ]);
  const address = (await seen(async () => printed(), /(?<=BiDi listening on )ws:\S+/)).trim();
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { address, stop };
}

/** Sends WebDriver BiDi commands, one at a time for each answer. */
async function connect(address: string) {
  const socket = new WebSocket(`${address}/session`);
  const waiting = new Map<number, (answer: Json) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as Json;
    waiting.get(Number(answer.id))?.(answer);
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let last = 0;
  return async (method: string, params: Json): Promise<Json> => {
    const id = ++last;
    const answer = await new Promise<Json>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === "error") throw new Error(`${method}: ${answer.message}`);
    return answer.result as Json;
  };
}

/** In the page: finds the visible control whose label or text matches. */
const FIND = `(source, isField) => {
  const words = new RegExp(source, "m");
  const text = (node) => node.innerText?.trim() ?? "";
  const fields = () => [...document.querySelectorAll("label")].filter((each) => words.test(text(each))).map((each) => each.control);
  const presses = () => [...document.querySelectorAll("main a, main button")].filter((each) => words.test(text(each)));
  const [found] = (isField ? fields() : presses()).filter((each) => each?.checkVisibility());
  found?.scrollIntoView({ block: "center" });
  return found ?? null;
}`;

/** In the page: the place of an element on the screen. */
const PLACE = "(element) => JSON.stringify(element.getBoundingClientRect())";

/** Headless Firefox, with a person's clicks and keys. */
export async function openFirefox(): Promise<Walker> {
  const { address, stop } = await startFirefox();
  const send = await connect(address);
  await send("session.new", { capabilities: {} });
  const tree = (await send("browsingContext.getTree", {})) as { contexts: { context: string }[] };
  const context = tree.contexts[0]?.context ?? "";
  const call = async (functionDeclaration: string, args: Json[] = []): Promise<Json> => {
    const target = { context };
    const given = { functionDeclaration, arguments: args, target, awaitPromise: true };
    return ((await send("script.callFunction", given)).result as Json) ?? {};
  };
  const look = async () => String((await call("() => document.body?.innerText ?? ''")).value ?? "");
  const click = async (label: RegExp, isField: boolean) => {
    await seen(look, label);
    let found: Json = {};
    // The screen also scrolls by itself after a form was sent.
    await rested(async () => {
      found = await call(FIND, [
        { type: "string", value: label.source },
        { type: "boolean", value: isField },
      ]);
      if (!found.sharedId) return look();
      const place = await call(PLACE, [{ sharedId: found.sharedId }]);
      return `${place.value} ${await look()}`;
    });
    if (!found.sharedId) throw new Error(`nothing to press: ${label}`);
    const origin = { type: "element", element: { sharedId: found.sharedId } };
    const actions = [
      { type: "pointerMove", x: 0, y: 0, origin },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    await send("input.performActions", {
      context,
      actions: [{ type: "pointer", id: "mouse", actions }],
    });
  };
  return {
    see: (words) => seen(look, words),
    open: async (url) =>
      void (await send("browsingContext.navigate", { context, url, wait: "complete" })),
    press: (label) => click(label, false),
    fill: async (label, text) => {
      await click(label, true);
      await call("() => document.activeElement.select()");
      const actions = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await send("input.performActions", {
        context,
        actions: [{ type: "key", id: "keyboard", actions }],
      });
    },
    close: stop,
  };
}
