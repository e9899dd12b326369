export function runCompiled(path: string): () => void;
