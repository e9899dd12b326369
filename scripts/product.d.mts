export function unpackProduct(): () => void;
