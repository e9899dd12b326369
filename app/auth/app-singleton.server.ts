import type { App } from "#app/http/app.server.ts";

/** Creates a value lazily, once per running service. */
export function appSingleton<T>(make: (app: App) => T): (app: App) => T {
  const made = new WeakMap<App, { value: T }>();
  return (app) => {
    const known = made.get(app) ?? { value: make(app) };
    made.set(app, known);
    return known.value;
  };
}
