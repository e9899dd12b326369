export type Known = {
  commit: string;
  seconds: string;
  tags: string[];
  commits: string | null;
  isChanged?: boolean;
};
export function buildOf(known?: Known | null): {
  version: string;
  commit: string;
  committedAt: string | null;
};
export function inName(version: string): string;
