type Given = {
  published?: string;
  pack?: (version: string, folder: string) => string;
  contentOf?: (path: string) => string;
};
export function placeClients(version: string, folder: string, given?: Given): void;
