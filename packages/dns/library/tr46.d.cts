declare const load: () => typeof import("tr46").default;
export = load;
