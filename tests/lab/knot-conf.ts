type KnotConf = {
  folder: string;
  addresses: readonly string[];
  port: number;
  /** Lines of the zone section. */
  zones: string[];
  log?: "warning" | "error";
  /** Lines before the template. */
  sections?: string[];
};

/** A configuration for knotd: loads whole zones from files in `folder`, and writes nothing back. */
export const knotConf = ({ folder, addresses, port, zones, ...options }: KnotConf): string =>
  [
    "server:",
    `    rundir: ${folder}`,
    ...addresses.map((address) => `    listen: ${address}@${port}`),
    "    udp-workers: 1",
    "    tcp-workers: 1",
    "    background-workers: 1",
    "log:",
    "  - target: stderr",
    `    any: ${options.log ?? "warning"}`,
    "database:",
    `    storage: ${folder}`,
    ...(options.sections ?? []),
    "template:",
    "  - id: default",
    `    storage: ${folder}`,
    "    zonefile-load: whole",
    "    zonefile-sync: -1",
    "    journal-content: none",
    "zone:",
    ...zones,
    "",
  ].join("\n");
