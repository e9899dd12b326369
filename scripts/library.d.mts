export function packLibrary(folder: string): Promise<string>;
